import { type AnthropicConversation, anthropicCodec } from '@ctx/codec-anthropic';
import { type Message, ValidationError } from '@ctx/core';

const user = (...content: unknown[]) => ({ role: 'user' as const, content: content as never });
const assistant = (...content: unknown[]) => ({ role: 'assistant' as const, content: content as never });
const { toMessages, fromMessages } = anthropicCodec;

const conversation = (...messages: object[]) => ({ messages }) as AnthropicConversation;
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, content: unknown = 'ok') => ({ type: 'tool_result', tool_use_id: id, content });
const call = (toolCallId: string, input: unknown = {}) =>
  ({ type: 'tool-call', toolCallId, toolName: 'read', input }) as const;
const answer = (toolCallId: string, output = 'ok') =>
  ({ type: 'tool-result', toolCallId, toolName: 'read', output }) as const;
const copyOf = <T>(value: T) => JSON.parse(JSON.stringify(value)) as T;

const mixed = conversation(
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [use('a'), use('b')] },
  { role: 'user', content: [result('a'), { type: 'text', text: 'stop' }], x: 1 },
);

test('results become a tool message, other blocks a user message after it', () => {
  expect(toMessages(mixed).map(({ role, content }) => ({ role, content }))).toEqual([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [call('a'), call('b')] },
    { role: 'tool', content: [answer('a')] },
    { role: 'user', content: [{ type: 'text', text: 'stop' }] },
  ]);
});

test('what stays of such a message keeps its fields', () => {
  const [go, calls, tool, words] = toMessages(mixed) as [Message, Message, Message, Message];
  expect(fromMessages([go, calls, tool]).messages[2]).toEqual({ role: 'user', content: [result('a')], x: 1 });
  expect(fromMessages([go, words]).messages[1]).toEqual({ ...user({ type: 'text', text: 'stop' }), x: 1 });
});

test('a result that was missing goes into the message of the others, before the words', () => {
  const [go, calls, tool, words] = toMessages(mixed) as [Message, Message, Message, Message];
  const closing: Message = { role: 'tool', content: [answer('b', 'interrupted')] };
  for (const messages of [
    [go, calls, tool, closing, words],
    [go, calls, closing, tool, words],
  ]) {
    const native = fromMessages(copyOf(messages));
    expect(native.messages).toHaveLength(3);
    expect(anthropicCodec.validate(native)).toEqual([]);
    const results = expect.arrayContaining([result('a'), result('b', 'interrupted')]);
    expect(native.messages[2]).toMatchObject({ x: 1, content: results });
  }
});

test('messages of another provider', () => {
  const png = { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' } as const;
  const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
  const messages: Message[] = [
    {
      role: 'system',
      content: 'You help.',
      native: { codec: 'openai', message: { role: 'developer', content: 'You help.' } },
    },
    user(
      { type: 'text', text: 'look' },
      { type: 'image', image: 'data:image/webp;base64,iVBORw0KGgo=' },
      { type: 'image', image: 'https://example.org/a.png' },
      {
        type: 'file',
        data: 'data:application/pdf;base64,JVBERi0=',
        mediaType: 'application/pdf',
        filename: 'a',
      },
      { type: 'file', data: 'aMOpIQ==', mediaType: 'text/markdown' },
      { type: 'file', data: 'UEsDBA==', mediaType: 'application/zip' },
      { type: 'opaque', value: { type: 'input_audio' } },
    ),
    assistant(
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: '' },
      call('a', { path: 'a' }),
      call('b', '{"path": "b'),
      call('c', ''),
    ),
    { role: 'tool', content: [answer('a')] },
    { role: 'tool', content: [{ ...answer('b'), output: { type: 'error-text', value: 'bad' } }] },
    { role: 'tool', content: [{ ...answer('c'), output: { type: 'content', value: [png] } }] },
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'only thought' }] },
    { role: 'user', content: 'thanks' },
  ];
  const native = fromMessages(messages);
  expect(native).toEqual({
    system: [
      { type: 'text', text: 'You help.' },
      { type: 'text', text: 'Be brief.' },
    ],
    messages: [
      user(
        { type: 'text', text: 'look' },
        { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: 'iVBORw0KGgo=' } },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
          title: 'a',
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hé!' } },
      ),
      assistant(
        { ...use('a'), input: { path: 'a' } },
        { ...use('b'), input: { input: '{"path": "b' } },
        { ...use('c'), input: {} },
      ),
      user(result('a'), { ...result('b', 'bad'), is_error: true }, result('c', [{ type: 'image', source }])),
      { role: 'user', content: 'thanks' },
    ],
  });
  expect(anthropicCodec.validate(native)).toEqual([]);
});

test('one part of a result replaced', () => {
  const text = { type: 'text', text: 'seen', cache_control: { type: 'ephemeral' } };
  const image = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } };
  const native = conversation(user({ ...result('a', [text, image]), is_error: false }));
  const [message] = toMessages(native) as [Message];
  const seen = { type: 'image', image: image.source.url };
  const output = { type: 'content', value: [{ type: 'text', text: 'cut' }, seen] };
  const content = [{ ...answer('a'), isError: true, output }];
  expect(fromMessages([{ ...message, content } as Message]).messages).toEqual([
    { role: 'user', content: [{ ...result('a', [{ ...text, text: 'cut' }, image]), is_error: true }] },
  ]);
});

test.each<[string, unknown]>([
  ['text', { type: 'text', value: 'cut' }],
  ['a string', 'cut'],
  ['a list', { type: 'content', value: [{ type: 'text', text: 'cut' }] }],
])('a result that was shortened to %s keeps its form', (_form, output) => {
  const block = { type: 'text', text: 'long', cache_control: { type: 'ephemeral' } };
  const shortened = (content: unknown) => {
    const [message] = toMessages(conversation(user(result('a', content)))) as [Message];
    const edited = { ...message, content: [{ ...answer('a'), output }] } as Message;
    return fromMessages([edited]).messages[0]?.content;
  };
  expect(shortened([block, block])).toEqual([result('a', [{ ...block, text: 'cut' }])]);
  if (typeof output === 'string') expect(shortened('long')).toEqual([result('a', 'cut')]);
});

test('an input that is nested too deep is refused, with its place', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 50_000; level += 1) deep = { deep };
  const native = conversation({ role: 'assistant', content: [{ ...use('a'), input: deep }] });
  expect(() => toMessages(native)).toThrow(
    expect.objectContaining({ code: 'value-no-json', place: 'messages[0].content[0].input' }),
  );
});

test.each([{ 0: 1 }, 'all', [0.5], ['first']])(
  'a message whose memory of its native form is spoiled is built anew: blocks %p',
  (blocks) => {
    const native = { codec: 'anthropic', message: user({ type: 'text', text: 'old' }), blocks };
    const hello = { role: 'user', content: 'hello' } as const;
    expect(fromMessages([{ ...hello, native }])).toEqual({ messages: [hello] });
  },
);

test('a bare list of messages is read like a request without a system prompt', () => {
  expect(toMessages(mixed.messages)).toEqual(toMessages(mixed));
  const [asked] = toMessages(mixed);
  const answered = toMessages([{ role: 'assistant', content: [use('c')] }], { after: [asked as Message] });
  expect(answered).toMatchObject([{ role: 'assistant', content: [call('c')] }]);
});

test.each([
  ['one message alone', { role: 'user', content: 'go' }],
  ['a text', 'go'],
  ['a list that holds something else', ['go']],
])('%s gives an error that says what to give', (_title, given) => {
  expect(() => toMessages(given as never)).toThrow(ValidationError);
  expect(() => toMessages(given as never)).toThrow(/Give a list of messages|A message is an object/);
});

test('an error about a long conversation does not hold it', () => {
  const long = Array.from({ length: 500 }, () => ({ role: 'user', content: 'secret '.repeat(20) }));
  const value = expect.stringMatching(/^.{0,2000}$/s);
  const read = () => toMessages({ conversation: long, messages: { long } } as never);
  expect(read).toThrow(ValidationError);
  expect(read).toThrow(expect.objectContaining({ value }));
});
