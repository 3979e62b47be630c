import { type OllamaMessage, ollamaCodec, openaiCodec } from '@ctx/codec-openai';
import { testCodec, unique, uniqueData } from '@ctx/testing';
import fc from 'fast-check';

const chat = (...messages: object[]) => messages as OllamaMessage[];
const call = (name: string, input: object, more = {}) => ({ function: { name, arguments: input }, ...more });

const anyMessage: fc.Arbitrary<readonly object[]> = fc.oneof(
  fc.constant([{ role: 'system', content: unique }]),
  fc.constant([{ role: 'user', content: unique, x_unknown: unique }]),
  fc.constant([{ role: 'user', content: '', images: [uniqueData] }]),
  fc.constant([{ role: 'assistant', content: unique, thinking: unique }]),
  fc.boolean().map((hasIds) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [call('read', { path: unique }, hasIds ? { id: 'a' } : {})],
    },
    { role: 'tool', content: unique, tool_name: 'read', ...(hasIds && { tool_call_id: 'a' }) },
  ]),
);

testCodec<OllamaMessage[]>({
  name: 'ollama',
  codec: ollamaCodec,
  fixtures: {
    'plain text': chat(
      { role: 'system', content: 'be kind' },
      { role: 'user', content: 'why?', x_unknown: 1 },
      { role: 'assistant', content: 'because', thinking: 'hm' },
    ),
    'calls without ids, two of one tool, and a result that names no tool': chat(
      { role: 'user', content: 'read both' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          call('read', { path: 'a' }),
          call('read', { path: 'b' }),
          call('list', {}, { x_unknown: 2 }),
        ],
      },
      { role: 'tool', content: 'A', tool_name: 'read' },
      { role: 'tool', content: 'B', tool_name: 'read', x_unknown: 3 },
      { role: 'tool', content: 'C' },
      { role: 'assistant', content: 'done' },
    ),
    'calls with ids': chat(
      { role: 'user', content: 'read' },
      { role: 'assistant', tool_calls: [call('read', { path: 'a' }, { id: 'x', type: 'function' })] },
      { role: 'tool', content: 'A', tool_name: 'read', tool_call_id: 'x' },
    ),
    'a picture': chat({ role: 'user', content: '', images: ['/9j/4AAQ'] }),
  },
  nativesOf: (conversation) => conversation,
  conversations: fc.array(anyMessage, { minLength: 1, maxLength: 6 }).map((all) => chat(...all.flat())),
  madeUpIds: /^ollama-call-/,
  refused: {
    'a value that is not a list': { conversation: {}, place: 'messages' },
    'an unknown role': { conversation: [{ role: 'robot', content: 'x' }], place: 'messages[0].role' },
    'arguments as JSON': {
      conversation: [{ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }],
      place: 'messages[0].tool_calls[0].function.arguments',
    },
  },
});

test('a conversation of Chat Completions is written with objects, pictures of their own and the names of tools', () => {
  const messages = openaiCodec.toMessages([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'a cat' },
  ]);
  expect(ollamaCodec.fromMessages(messages)).toEqual([
    { role: 'user', content: 'what is this?', images: ['iVBORw0KGgo='] },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', function: { name: 'look', arguments: { at: 1 } } }],
    },
    { role: 'tool', content: 'a cat', tool_name: 'look', tool_call_id: 'a' },
  ]);
  expect(ollamaCodec.losses(messages)).toEqual([{ index: 0, place: 'content[2]', what: 'image' }]);
});

test('what it read goes to Chat Completions with ids', () => {
  const messages = ollamaCodec.toMessages(
    chat(
      { role: 'user', content: 'read' },
      { role: 'assistant', content: '', tool_calls: [call('read', { path: 'a' })] },
      { role: 'tool', content: 'A', tool_name: 'read' },
    ),
  );
  const written = openaiCodec.fromMessages(messages);
  expect(openaiCodec.validate(written)).toEqual([]);
  expect(written[2]).toMatchObject({ role: 'tool', tool_call_id: 'ollama-call-0', content: 'A' });
});
