import { responsesCodec } from '@ctx/codec-openai';
import { type Message, parseMessage, partsOf } from '@ctx/core';
import * as core from '@ctx/testing';

const { toMessages, fromMessages, losses, validate } = responsesCodec;
const { and, assistant, result, system, transcript } = core;

const user = { role: 'user', content: 'go' };
const thought = (id: string) => {
  return { type: 'reasoning', id: `rs_${id}`, summary: [], encrypted_content: 'Z0FB' };
};
const said = (id: string) => ({
  type: 'message',
  id: `msg_${id}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: id, annotations: [] }],
});
const call = (id: string) => {
  return { type: 'function_call', id: `fc_${id}`, call_id: id, name: 'read', arguments: '{}' };
};
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'text' });

/** The types of the items of each message. */
function groups(...items: object[]): string[] {
  return toMessages(items).map(({ native }) =>
    (native as { message: { type: string }[] }).message.map(({ type }) => type ?? 'message').join(' '),
  );
}

describe('items that need each other are one message', () => {
  const outputs = ['function_call_output', 'function_call_output'];
  test.each<[string, object[], string[]]>([
    [
      'reasoning, what it led to, and parallel calls',
      [user, thought('a'), said('a'), call('a'), call('b'), output('a'), output('b')],
      ['message', 'reasoning message function_call function_call', ...outputs],
    ],
    [
      'reasoning between calls whose outputs come later',
      [thought('a'), call('a'), thought('b'), call('b'), output('a'), output('b')],
      ['reasoning function_call reasoning function_call', ...outputs],
    ],
    [
      'reasoning after a message begins another',
      [thought('a'), said('a'), thought('b'), said('b')],
      ['reasoning message', 'reasoning message'],
    ],
    ['messages without reasoning are apart', [said('a'), said('b')], ['message', 'message']],
    [
      'what a message cites stays with it',
      [thought('a'), { type: 'web_search_call', id: 'ws_a' }, thought('b'), said('b')],
      ['reasoning web_search_call reasoning message'],
    ],
    [
      'the tools of a server are apart',
      [{ type: 'mcp_list_tools', id: 'mcpl_a' }, thought('a'), said('a')],
      ['mcp_list_tools', 'reasoning message'],
    ],
  ])('%s', (_title, items, expected) => {
    expect(groups(...items)).toEqual(expected);
  });
});

test('a text is one message of the user', () => {
  expect(toMessages('why?').map(({ role, content }) => ({ role, content }))).toEqual([
    { role: 'user', content: 'why?' },
  ]);
});

test('the parts of every kind of item', () => {
  const texts = (...said: string[]) => {
    return { type: 'content', value: said.map((text) => ({ type: 'text', text })) };
  };
  const messages = toMessages([
    { ...thought('a'), summary: [{ type: 'summary_text', text: 'a' }] },
    { type: 'custom_tool_call', call_id: 'a', name: 'exec', input: 'ls' },
    { type: 'shell_call', call_id: 'b', action: { commands: ['ls'] } },
    { type: 'custom_tool_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'A' }] },
    {
      type: 'shell_call_output',
      call_id: 'b',
      output: [{ stdout: 'B', stderr: 'no', outcome: { type: 'exit', exit_code: 1 } }],
    },
  ]);
  expect(messages.map(({ content }) => content)).toEqual([
    [
      { type: 'reasoning', text: 'a', encrypted: 'Z0FB' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'exec', input: 'ls' },
      { type: 'tool-call', toolCallId: 'b', toolName: 'shell', input: { commands: ['ls'] } },
    ],
    [{ type: 'tool-result', toolCallId: 'a', toolName: 'exec', output: texts('A') }],
    [{ type: 'tool-result', toolCallId: 'b', toolName: 'shell', output: texts('B', 'no') }],
  ]);
});

test('a compaction stands for what came before it', () => {
  const [message] = toMessages([{ type: 'compaction', encrypted_content: 'Z0FB' }]);
  expect(message).toMatchObject({ role: 'assistant', pinned: true, summary: true });
});

test.each([
  { type: 'additional_tools', role: 'developer', tools: [] },
  { type: 'item_reference', id: 'msg_a' },
  { type: 'compaction_trigger' },
  { type: 'configuration_update', text: {} },
  { type: 'teleport_call', to: 'Mars' },
  { type: 'tool_search_output', tools: [] },
  { ...call('a'), caller: { type: 'program', caller_id: 'p' } },
])('$type stays', (item) => {
  expect(toMessages([item])[0]).toMatchObject({ pinned: true });
  expect(toMessages([user])[0]).not.toHaveProperty('pinned');
});

test('what stood behind reasoning that is gone has no id any more', () => {
  const items = [user, thought('a'), said('a'), call('a'), output('a')];
  const messages = toMessages(items).map((message) => {
    const content = partsOf(message).filter(({ type }) => type !== 'reasoning');
    return { ...message, content } as Message;
  });
  const sent = fromMessages(messages);
  expect(sent.filter((item) => 'id' in item && item.id !== undefined)).toEqual([]);
  expect(sent.slice(1).map((item) => ({ ...item, id: undefined }))).toEqual(
    items.slice(2).map((item) => ({ ...item, id: undefined })),
  );
  expect(validate(sent, { before: [items] })).toEqual([]);
});

test('an edited item keeps its id: it tells which reasoning it needs', () => {
  const [message] = toMessages([thought('a'), call('a')]);
  const [reasoning, called] = partsOf(message as Message);
  const shorter = { ...called, input: { path: '…' } };
  const sent = fromMessages([{ ...message, content: [reasoning, shorter] } as Message]);
  expect(sent).toEqual([thought('a'), { ...call('a'), arguments: '{"path":"…"}' }]);
});

test('a call that is taken out leaves the others as they are', () => {
  const items: object[] = [thought('a'), said('a'), call('a'), call('b')];
  const [message] = toMessages(items) as [Message];
  const parts = partsOf(message).filter((part) => part.type !== 'tool-call' || part.toolCallId !== 'a');
  const sent = fromMessages([{ ...message, content: parts } as Message]);
  expect(sent.map((item) => items.indexOf(item))).toEqual([0, 1, 3]);
});

const exit = [{ stdout: 'gone', stderr: '', outcome: { type: 'exit', exit_code: 0 } }];
test.each<[string, object, object]>([
  ['custom_tool_call', { name: 'exec', input: 'x' }, { output: 'gone' }],
  ['local_shell_call', { action: {} }, { output: 'gone' }],
  ['shell_call', { action: {} }, { output: exit }],
  ['apply_patch_call', { operation: {} }, { status: 'failed', output: 'gone' }],
])('a result that core makes is of the kind that a %s wants', (type, fields, expected) => {
  const messages = toMessages([{ type, call_id: 'a', ...fields }]);
  const result: Message = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'x', output: 'gone', isError: true }],
  };
  expect(fromMessages([...messages, result])[1]).toEqual({
    type: `${type}_output`,
    call_id: 'a',
    ...expected,
  });
});

test('a screenshot that is taken away becomes a blank one with the text in its comment', () => {
  const items = [
    { type: 'computer_call', id: 'cu_a', call_id: 'a', action: { type: 'wait' } },
    {
      type: 'computer_call_output',
      call_id: 'a',
      output: {
        type: 'computer_screenshot',
        image_url: `data:image/png;base64,${'A'.repeat(4000)}`,
        file_id: 'f',
      },
    },
  ];
  const [calls, result] = toMessages(items) as [Message, Message];
  const text = `cleared: ${'ü'.repeat(300)}`;
  const [part] = partsOf(result);
  const output = { type: 'content', value: [{ type: 'text', text }] };
  const sent = fromMessages([calls, { ...result, content: [{ ...part, output }] } as Message]);
  const shown = (sent[1] as object as { output: { image_url?: string } }).output;
  expect(shown).toEqual({
    type: 'computer_screenshot',
    image_url: expect.stringMatching(/^data:image\/gif;base64,R0lGODlhAQAB/),
  });
  expect(atob(shown.image_url?.split(',')[1] ?? '').at(-1)).toBe(';');
  expect(partsOf(toMessages(sent)[1] as Message)).toEqual([expect.objectContaining({ output })]);
});

test('an output of a local shell finds its call by the id of the item, also when it is read later', () => {
  const shell = { type: 'local_shell_call', id: 'lsh_a', call_id: 'a', action: { type: 'exec' } };
  const result = { type: 'local_shell_call_output', id: 'lsh_a', output: 'A' };
  const [called, together] = toMessages([shell, result]);
  const [alone] = toMessages([result], { after: toMessages([shell]) });
  expect(partsOf(alone as Message)).toEqual([
    { type: 'tool-result', toolCallId: 'a', toolName: 'local_shell', output: 'A' },
  ]);
  expect(alone).toEqual(together);
  expect(called?.role).toBe('assistant');
});

test('a message of another origin becomes items that core reads again', () => {
  const messages = transcript(
    system('be kind'),
    core.user([
      { type: 'text', text: 'see' },
      { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' },
      { type: 'file', data: 'https://example.org/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' },
    ]),
    and(
      assistant([
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ]),
      core.call('a', 'read', { path: 'a' }),
    ),
    result(
      'a',
      { type: 'content', value: [{ type: 'image', image: 'https://example.org/a.png' }] },
      { isError: true },
    ),
  );
  const sent = fromMessages(messages);
  expect(sent).toEqual([
    { role: 'system', content: 'be kind' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'see' },
        { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
        { type: 'input_file', filename: 'a.pdf', file_url: 'https://example.org/a.pdf' },
      ],
    },
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'output_text', text: 'one', annotations: [] },
        { type: 'output_text', text: 'two', annotations: [] },
      ],
    },
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"a"}' },
    {
      type: 'function_call_output',
      call_id: 'a',
      output: [{ type: 'input_image', detail: 'auto', image_url: 'https://example.org/a.png' }],
    },
  ]);
  expect(validate(sent)).toEqual([]);
  toMessages(sent).forEach((message, index) => {
    parseMessage(message, index);
  });
  expect(losses(messages).map(({ index, place, what }) => `${index} ${place}: ${what}`)).toEqual([
    '1 content[2].mediaType: mediaType',
    '2 content[0]: reasoning',
    '3 content[0].isError: isError',
  ]);
});

test('what a host has damaged of a native message is written from what the message says', () => {
  const messages = responsesCodec.toMessages([
    { type: 'message', role: 'user', content: 'hi' },
    { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'A' },
  ]);
  for (const damaged of [null, 1, 'x', []]) {
    const native = { codec: 'openai-responses', message: [damaged] };
    const written = responsesCodec.fromMessages(messages.map((message) => ({ ...message, native })));
    const types = written.map(({ type = 'message' }) => type);
    expect(types).toEqual(['message', 'function_call', 'function_call_output']);
  }
});
