import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { anyTurns } from '@ctx/fuzz';
import { testCodec } from '@ctx/testing';
import type { AnyMessage } from '../src/native-message.js';

/** A conversation that is refused, and the place that the error names. */
const at = (place: string, conversation: unknown) => ({ conversation, place });
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
const image = (source: object, more = {}) => ({ type: 'image', source, ...more });
const document = (source: object, more = {}) => ({ type: 'document', source, ...more });
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
const conversation = (messages: unknown[], system?: unknown) =>
  ({ ...(system === undefined ? {} : { system }), messages }) as AnthropicConversation;
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'read', input });
const result = (id: string, content: unknown, more = {}) => {
  return { type: 'tool_result', tool_use_id: id, content, ...more };
};
const unreadable = (id: string) => [
  { type: 'thinking', thinking: '', signature: `c2ln${id}` },
  { type: 'redacted_thinking', data: `b3BhcXVl${id}` },
];
const ephemeral = { cache_control: { type: 'ephemeral' } };

const interrupted = conversation([
  { role: 'user', content: 'read both' },
  { role: 'assistant', content: [use('a'), use('b')] },
  user(result('a', 'A'), result('b', [text('B')]), text('stop after this')),
]);

const fixtures: Record<string, AnthropicConversation> = {
  'thinking with signatures around calls': conversation([
    { role: 'user', content: 'go' },
    assistant(
      { type: 'thinking', thinking: 'first a', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'text', text: 'reading', x_unknown: 1 },
      { ...use('a', { path: 'a' }), ...ephemeral },
    ),
    { role: 'user', content: [result('a', 'no such file', { is_error: true, ...ephemeral })] },
  ]),
  'thinking whose text is empty, in turns that follow each other': conversation([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [text('I look.')] },
    { role: 'assistant', content: [...unreadable('1'), use('a')], x_unknown: 1 },
    { role: 'user', content: [result('a', 'A')] },
    { role: 'assistant', content: [...unreadable('2'), text('done')] },
    { role: 'user', content: 'and b?' },
    { role: 'assistant', content: [...unreadable('3'), use('b'), ...unreadable('4')] },
    { role: 'user', content: [result('b', 'B'), text('stop')] },
    { role: 'assistant', content: 'stopped' },
    { role: 'user', content: 'go on' },
    { role: 'user', content: 'please' },
    { role: 'assistant', content: [...unreadable('5'), use('c')] },
    { role: 'user', content: [result('c', 'C')] },
    { role: 'assistant', content: 'done' },
    { role: 'user', content: 'thanks' },
  ]),
  'instructions that came later': conversation(
    [
      { role: 'user', content: 'go' },
      { role: 'system', content: 'it is the 2nd now' },
      { role: 'assistant', content: 'gone' },
      { role: 'system', content: [{ type: 'text', text: 'be brief', ...ephemeral }], x_unknown: 1 },
      { role: 'user', content: 'where?' },
    ],
    [text('be kind')],
  ),
  'results and the user’s words in one message': interrupted,
  'a result with an image, an empty one and `__proto__` keys': conversation([
    { role: 'user', content: '\udc00' },
    { role: 'assistant', content: [use('a', JSON.parse('{"__proto__":{"x":1}}')), use('b')] },
    user(result('a', [text('seen'), image(png)]), { type: 'tool_result', tool_use_id: 'b' }),
  ]),
  'messages without content': conversation(
    [
      { role: 'user', content: '' },
      user(text(''), text('')),
      { role: 'assistant', content: [] },
      { role: 'assistant', content: [use('a')] },
      { role: 'user', content: [result('a', ''), text('')], x_unknown: 1 },
    ],
    '',
  ),
  'results in two messages': conversation([
    { role: 'user', content: 'read both' },
    { role: 'assistant', content: [use('a'), use('b')] },
    { role: 'user', content: [result('a', 'A')] },
    { role: 'user', content: [result('b', 'B')] },
  ]),
  'an empty conversation': conversation([]),
  'documents and files of every source': conversation([
    user(
      document(
        { type: 'text', media_type: 'text/plain', data: 'a long text', x_unknown: 1 },
        { title: 'notes', citations: { enabled: true }, ...ephemeral },
      ),
      document(pdf, { title: 'report', context: 'of May', x_unknown: 1, ...ephemeral }),
      document({ type: 'url', url: 'https://example.org/a.pdf' }),
      document({ type: 'content', content: 'custom' }),
      document({ type: 'file', file_id: 'f' }),
      image(png, ephemeral),
      { type: 'search_result', source: 'https://example.org', title: 'a', content: [] },
    ),
  ]),
  'results between and after words, and blocks at the wrong place': conversation(
    [
      { role: 'user', content: [text('go'), use('x')] },
      { role: 'assistant', content: [use('a'), use('b'), result('x', 'from nobody')] },
      {
        role: 'user',
        content: [text('first'), result('b', 'B'), text('then'), result('a', 'A')],
        x_unknown: 1,
      },
    ],
    [text('be kind'), image({ type: 'url', url: 'https://example.org' })],
  ),
  'reused ids': conversation([
    { role: 'user', content: 'x'.repeat(1_000_000) },
    { role: 'assistant', content: [use('a')] },
    { role: 'user', content: [result('a', '1'), text('again')] },
    { role: 'assistant', content: [use('a')] },
    { role: 'user', content: [result('a', '1'), text('again')] },
  ]),
};

testCodec<AnthropicConversation>({
  name: 'anthropic',
  codec: anthropicCodec,
  fixtures,
  conversations: anyTurns,
  nativesOf: ({ system, messages }) => (system === undefined ? messages : [system, ...messages]),
  blocksOf: ({ system, messages }) => [
    ['system', system],
    ...(messages as readonly AnyMessage[]).flatMap(({ role, content }): unknown[] =>
      typeof content === 'string' ? [[role, content]] : (content ?? []).map((block) => [role, block]),
    ),
  ],
  refused: {
    'a value that is not a conversation': at('conversation', 'hi'),
    'a role that is no role': at('messages[0].role', conversation([{ role: 'tool', content: 'hi' }])),
    'a message that is null': at('messages[0]', conversation([null])),
    'a block that is a string': at('messages[0].content[0]', conversation([user('hi')])),
    'a block without a type': at('messages[0].content[0].type', conversation([user({ text: 'hi' })])),
    'an image without a source': at('messages[0].content[0].source', conversation([user({ type: 'image' })])),
    'a result without the id of its call': at(
      'messages[0].content[0].tool_use_id',
      conversation([user({ type: 'tool_result' })]),
    ),
    'a system prompt that is a number': at('system', conversation([], 1)),
    'messages that are not a list': at('messages', { messages: {} }),
    'a call without an id': at(
      'messages[0].content[0].id',
      conversation([assistant({ type: 'tool_use', name: 'read', input: {} })]),
    ),
  },
});

test('a system prompt that is a string comes back as it is, and several become blocks', () => {
  const native = conversation([{ role: 'user', content: 'why?' }], 'be kind');
  const messages = anthropicCodec.toMessages(native);
  expect(anthropicCodec.fromMessages(messages)).toEqual(native);
  const more = anthropicCodec.fromMessages([{ role: 'system', content: 'be brief' }, ...messages]);
  expect(more.system).toEqual([text('be brief'), text('be kind')]);
});
