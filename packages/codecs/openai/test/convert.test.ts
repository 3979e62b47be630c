import { type ChatMessage, openaiCodec } from '@ctx/codec-openai';
import { type Message, partsOf } from '@ctx/core';

const user = (...content: unknown[]) => ({ role: 'user' as const, content: content as never });
const assistant = (...content: unknown[]) => ({ role: 'assistant' as const, content: content as never });
const text = (value: string) => ({ type: 'text' as const, text: value });
const chat = (...messages: object[]) => messages as ChatMessage[];
const toolCall = (id: string, args: string) => {
  return { id, type: 'function', function: { name: 'read', arguments: args } };
};

const { toMessages, fromMessages } = openaiCodec;

const contentOf = (...messages: object[]) =>
  toMessages(chat(...messages)).map(({ role, content }) => ({ role, content }));

test('roles, parsed arguments and the name of a result', () => {
  expect(
    contentOf(
      { role: 'developer', content: 'Be brief.' },
      { role: 'assistant', content: '', tool_calls: [toolCall('a', '{"path":"a.ts"}')] },
      { role: 'tool', tool_call_id: 'a', content: 'text' },
    ),
  ).toEqual([
    { role: 'system', content: 'Be brief.' },
    assistant({ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } }),
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'text' }] },
  ]);
});

test('arguments that are not JSON stay a string', () => {
  const [message] = toMessages(chat({ role: 'assistant', tool_calls: [toolCall('a', '{"path": "a')] }));
  expect(message?.content).toEqual([
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: '{"path": "a' },
  ]);
});

test('a message without content has one opaque part', () => {
  expect(contentOf({ role: 'assistant', content: null }, { role: 'user', content: [] })).toEqual([
    { role: 'assistant', content: [{ type: 'opaque', value: null }] },
    { role: 'user', content: [{ type: 'opaque', value: [] }] },
  ]);
});

test('the old form of a call has a made-up id that its result shares', () => {
  expect(
    contentOf(
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'text' },
    ).slice(1),
  ).toEqual([
    assistant({ type: 'tool-call', toolCallId: 'function_call', toolName: 'read', input: {} }),
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'function_call', toolName: 'read', output: 'text' }],
    },
  ]);
});

test('a function that answers no call is something that the user says, and is edited in its place', () => {
  const native = chat(
    { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
    { role: 'function', name: 'read', content: 'text' },
    { role: 'function', name: 'read', content: 'more' },
    { role: 'user', content: 'so?' },
    { role: 'function', name: 'clock', content: 'noon' },
  );
  const messages = toMessages(native);
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'user', 'user']);
  expect(fromMessages(messages).map((message, at) => message === native[at])).not.toContain(false);
  const edited = messages.map((message) =>
    message.role === 'user' ? ({ ...message, content: '…' } as Message) : message,
  );
  expect(fromMessages(edited).slice(2)).toEqual([
    { role: 'function', name: 'read', content: '…' },
    { role: 'user', content: '…' },
    { role: 'function', name: 'clock', content: '…' },
  ]);
  const rest = toMessages(native.slice(1), { after: messages.slice(0, 1) });
  expect(rest.map(({ role }) => role)).toEqual(['tool', 'user', 'user', 'user']);
});

const call = { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a' } } as const;
const result = { type: 'tool-result', toolCallId: 'a', toolName: 'read' } as const;

test('messages without a provider', () => {
  const other = { ...call, toolCallId: 'b', input: 'ls' };
  const asked = [toolCall('a', '{"path":"a"}'), toolCall('b', '"ls"')];
  const messages: Message[] = [
    { role: 'system', content: 'You help.' },
    user(
      text('look'),
      { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/webp' },
      { type: 'image', image: 'https://example.com/a.png' },
      { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'a.pdf' },
      { type: 'opaque', value: { type: 'redacted_thinking', data: 'x' } },
    ),
    assistant({ type: 'reasoning', text: 'hm' }, text('I read.'), call, other),
    {
      role: 'tool',
      content: [
        { ...result, output: { type: 'content', value: [text('A'), { type: 'image', image: 'x' }] } },
        { ...result, toolCallId: 'b', output: { type: 'json', value: { ok: 1 } }, isError: true },
      ],
    },
    { role: 'assistant', content: [{ type: 'reasoning', text: 'only thought' }] },
    assistant(text('A'), text('B')),
  ];
  expect(fromMessages(messages)).toEqual([
    { role: 'system', content: 'You help.' },
    user(
      text('look'),
      { type: 'image_url', image_url: { url: 'data:image/webp;base64,iVBORw0KGgo=' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
    ),
    { role: 'assistant', content: 'I read.', tool_calls: asked },
    { role: 'tool', tool_call_id: 'a', content: [text('A')] },
    { role: 'tool', tool_call_id: 'b', content: '{"ok":1}' },
    assistant(text('A'), text('B')),
  ]);
});

test('a removed part disappears from its field', () => {
  const both = { refusal: 'No.', tool_calls: [toolCall('a', '{}'), toolCall('b', '{}')], x: 1 };
  const [message] = toMessages(chat({ role: 'assistant', content: 'A', ...both })) as [Message];
  const only = (...kept: number[]) =>
    fromMessages([
      { ...message, content: (message.content as []).filter((_, index) => kept.includes(index)) } as Message,
    ]);
  expect(only(0, 3)).toEqual([{ role: 'assistant', content: 'A', tool_calls: [toolCall('b', '{}')], x: 1 }]);
  expect(only(1, 2, 3)).toEqual([{ role: 'assistant', content: null, ...both }]);
  expect(only(0)).toEqual([{ role: 'assistant', content: 'A', x: 1 }]);
});

test('a result that was added to a tool message gets a message of its own', () => {
  const native = chat(
    { role: 'assistant', content: null, tool_calls: [toolCall('a', '{}'), toolCall('b', '{}')] },
    { role: 'tool', tool_call_id: 'a', content: 'A', x: 1 },
  );
  const [asked, answered] = toMessages(native) as [Message, Message & { role: 'tool' }];
  const both: Message = {
    ...answered,
    content: [...answered.content, { ...result, toolCallId: 'b', output: 'B' }],
  };
  const back = fromMessages([asked, both]);
  expect(back).toEqual([...native, { role: 'tool', tool_call_id: 'b', content: 'B' }]);
  expect(back[1]).toBe(native[1]);
});

test('a custom tool has text for input, and keeps its form when edited', () => {
  const running = (input: string) => {
    const tool_calls = [{ id: 'a', type: 'custom', custom: { name: 'sh', input } }];
    return { role: 'assistant', content: null, tool_calls };
  };
  const [message] = toMessages(chat(running('ls'))) as [Message];
  const custom = { type: 'tool-call', toolCallId: 'a', toolName: 'sh', input: 'ls' } as const;
  expect(message.content).toEqual([custom]);
  const edited: Message = {
    role: 'assistant',
    content: [{ ...custom, input: { cut: 1 } }],
    native: message.native,
  };
  expect(fromMessages([edited])).toEqual([running('{"cut":1}')]);
});

test('arguments may be nested as deep as a model likes', () => {
  const deep = '['.repeat(4_000) + ']'.repeat(4_000);
  const native = chat({ role: 'assistant', content: null, tool_calls: [toolCall('a', deep)] });
  const messages = toMessages(native);
  expect(fromMessages(messages)[0]).toBe(native[0]);
  expect(partsOf(messages[0] as Message)[0]).toMatchObject({ input: deep });
});

test('a value that is no JSON is an error with its place', () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 50_000; level += 1) deep = { deep };
  for (const input of [deep, { big: 10n }]) {
    const message = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'a', toolName: 't', input }],
    };
    expect(() => fromMessages([message as Message])).toThrow(
      expect.objectContaining({ code: 'value-no-json', place: 'input' }),
    );
  }
});

test('reasoning that compatible servers add to a message stays with it after every edit', () => {
  const native = {
    role: 'assistant',
    content: [text('both')],
    reasoning_content: 'hm',
    reasoning_details: [{ type: 'reasoning.encrypted', data: 'b3Bh' }],
    tool_calls: [toolCall('a', '{}'), toolCall('b', '{}')],
  };
  const [message] = toMessages(chat(native)) as [Message & { role: 'assistant' }];
  const [, a, b] = partsOf(message);
  const edited = { ...message, content: [text('cut'), b] } as unknown as Message;
  const [back] = fromMessages([edited]);
  expect(back).toEqual({ ...native, content: [text('cut')], tool_calls: [toolCall('b', '{}')] });
  expect(fromMessages([{ ...message, content: [a, b] } as unknown as Message])[0]).toMatchObject({
    reasoning_details: native.reasoning_details,
    tool_calls: native.tool_calls,
  });
});

test('a compaction item is carried and pinned', () => {
  const native = chat(
    { role: 'assistant', content: [{ type: 'compaction', encrypted_content: 'b3Bh' }] },
    { role: 'user', content: 'go on' },
  );
  const messages = toMessages(native);
  expect(messages.map(({ pinned, summary }) => [pinned, summary])).toEqual([
    [true, true],
    [undefined, undefined],
  ]);
  expect(fromMessages(messages)[0]).toBe(native[0]);
});

test.each<[string, unknown]>([
  ['text', { type: 'text', value: 'cut' }],
  ['a string', 'cut'],
  ['a list', { type: 'content', value: [text('cut')] }],
])('a result that was shortened to %s keeps its form', (_form, output) => {
  const shortened = (content: unknown) => {
    const [message] = toMessages(chat({ role: 'tool', tool_call_id: 'a', content })) as [Message];
    return fromMessages([{ ...message, content: [{ ...result, output }] } as Message])[0]?.content;
  };
  const item = { type: 'text', text: 'long', x: 1 };
  expect(shortened([item, item])).toEqual([{ ...item, text: 'cut' }]);
  if (typeof output === 'string') expect(shortened('long')).toBe('cut');
});
