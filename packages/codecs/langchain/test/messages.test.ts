import { langchainCodec } from '@ctx/codec-langchain';
import { ContextManager, type Message, partsOf } from '@ctx/core';
import { replacePart } from '@ctx/core/kit';
import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';

const { toMessages, fromMessages, validate, losses } = langchainCodec;
const config = { contextWindow: 100_000 };

class OwnMessage extends HumanMessage {
  readonly mood = 'happy';
  get isOurs(): boolean {
    return true;
  }
}

const usage = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
const rawCall = (id: string) => {
  return { id, type: 'function' as const, function: { name: 'read', arguments: '{"path":"a"}' } };
};

/** An answer with a call that could not be read. */
const unreadable = (content: string) =>
  new AIMessage({
    content,
    invalid_tool_calls: [{ id: 'a', name: 'run', args: '{"a":', error: 'no JSON' }],
  });

const conversation = (): BaseMessage[] => [
  new SystemMessage('be kind'),
  new OwnMessage({ content: 'read both', id: 'h1', name: 'ada' }),
  new AIMessage({
    id: 'a1',
    content: [
      { type: 'text', text: 'I will read', cache_control: { type: 'ephemeral' } },
      ...['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } })),
    ],
    tool_calls: ['a', 'b'].map((id) => ({ id, name: 'read', args: { path: 'a' } })),
    additional_kwargs: { tool_calls: [rawCall('a'), rawCall('b')], refusal: null },
    response_metadata: { model_name: 'm', finish_reason: 'tool_calls' },
    usage_metadata: usage,
  } as never),
  new ToolMessage({
    id: 't1',
    content: 'A',
    tool_call_id: 'a',
    name: 'read',
    artifact: { rows: [1] },
    metadata: { took: 3 },
  }),
  new ToolMessage({ content: 'none', tool_call_id: 'b', status: 'error' }),
  new AIMessageChunk({ content: 'done', tool_call_chunks: [] }),
  new ChatMessage('really?', 'critic'),
];

test('messages of every class come back as the same objects', () => {
  const native = [
    ...conversation(),
    new AIMessage({ content: '', additional_kwargs: { function_call: { name: 'run', arguments: '{}' } } }),
    new FunctionMessage({ content: 'ok', name: 'run' }),
  ];
  const messages = toMessages(native);
  expect(messages.map(({ role }) => role).join(' ')).toBe(
    'system user assistant tool tool assistant user assistant tool',
  );
  const back = fromMessages(messages);
  expect(back).toHaveLength(native.length);
  expect(back.every((one, index) => one === native[index])).toBe(true);
  expect(losses(messages)).toEqual([]);
  expect(validate(native)).toEqual([]);
});

test('an edited message is a new one of the same class with all other fields', () => {
  const native = conversation();
  const messages = toMessages(native);
  const edited = (index: number, part: number, text: string) => {
    const view = messages.map((one, at) =>
      at === index ? (replacePart(one, { part, text }) as Message) : one,
    );
    const back = fromMessages(view);
    expect(back.filter((one, at) => one !== native[at])).toHaveLength(1);
    return back[index] as BaseMessage;
  };

  const user = edited(1, 0, 'short');
  expect(user).toBeInstanceOf(OwnMessage);
  expect(user).toMatchObject({ content: 'short', id: 'h1', name: 'ada', mood: 'happy', isOurs: true });
  expect(HumanMessage.isInstance(user)).toBe(true);
  expect(user.toDict().data).toMatchObject({ content: 'short', id: 'h1' });

  const answer = edited(2, 0, 'short') as AIMessage;
  const before = native[2] as AIMessage;
  expect(answer).toBeInstanceOf(AIMessage);
  expect(answer.content).toEqual([
    { type: 'text', text: 'short', cache_control: { type: 'ephemeral' } },
    ...(before.content as object[]).slice(1),
  ]);
  const fields = ['id', 'tool_calls', 'usage_metadata', 'response_metadata', 'additional_kwargs'] as const;
  for (const field of fields) expect(answer[field]).toBe(before[field]);

  const result = edited(3, 0, 'cleared');
  expect(ToolMessage.isInstance(result)).toBe(true);
  expect(result).toMatchObject({
    content: 'cleared',
    tool_call_id: 'a',
    name: 'read',
    id: 't1',
    artifact: { rows: [1] },
    metadata: { took: 3 },
  });
  expect(edited(4, 0, 'cleared')).toMatchObject({ content: 'cleared', status: 'error' });
  expect(edited(5, 0, 'short')).toBeInstanceOf(AIMessageChunk);
  expect(edited(6, 0, 'short')).toMatchObject({ content: 'short', role: 'critic' });
});

test('an edited call changes wherever it stands, and a dropped one leaves everywhere', () => {
  const message = toMessages(conversation())[2] as Message;
  const [text, first, second] = partsOf(message);
  const shorter = { ...message, content: [text, { ...first, input: {} }, second] } as Message;
  expect(fromMessages([shorter])[0]).toMatchObject({
    content: [{ text: 'I will read' }, { id: 'a', input: {} }, { id: 'b', input: { path: 'a' } }],
    tool_calls: [
      { id: 'a', args: {} },
      { id: 'b', args: { path: 'a' } },
    ],
    additional_kwargs: {
      tool_calls: [{ id: 'a', function: { arguments: '{}' } }, rawCall('b')],
      refusal: null,
    },
  });
  const fewer = { ...message, content: [text, second] } as Message;
  const [left] = fromMessages([fewer]) as [AIMessage];
  expect(left.content).toEqual([
    (conversation()[2] as AIMessage).content[0],
    { type: 'tool_use', id: 'b', name: 'read', input: { path: 'a' } },
  ]);
  expect(left.tool_calls).toHaveLength(1);
  expect(left.additional_kwargs).toEqual({ tool_calls: [rawCall('b')], refusal: null });
  const none = { ...message, content: [text] } as Message;
  expect(fromMessages([none])[0]).toMatchObject({ tool_calls: [], additional_kwargs: { refusal: null } });
});

test('an edited piece of a streamed answer does not read its calls again', () => {
  const chunk = new AIMessageChunk({
    content: 'x',
    tool_call_chunks: [{ id: 'a', name: 'read', args: '{"path":"a"}', index: 0, type: 'tool_call_chunk' }],
  });
  const [message] = toMessages([chunk]) as [Message];
  const content = partsOf(message).map((part) => (part.type === 'tool-call' ? { ...part, input: {} } : part));
  const [back] = fromMessages([{ ...message, content } as Message]) as [AIMessageChunk];
  expect(back.tool_calls).toMatchObject([{ id: 'a', args: {} }]);
  expect(back.tool_call_chunks).toEqual([]);
});

test('what core adds and what other codecs bring are messages of LangChain', () => {
  const messages: Message[] = [
    { role: 'system', content: 'be kind' },
    { role: 'user', content: [{ type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'read', output: '[No result]', isError: true },
        { type: 'tool-result', toolCallId: 'b', toolName: 'read', output: { type: 'json', value: { b: 1 } } },
      ],
    },
  ];
  const native = fromMessages(messages);
  const classes = [SystemMessage, HumanMessage, AIMessage, ToolMessage, ToolMessage];
  expect(native.map((one) => one.constructor)).toEqual(classes);
  expect(native).toMatchObject([
    { content: 'be kind' },
    { content: [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] },
    {
      content: [{ type: 'reasoning', reasoning: 'hm' }],
      tool_calls: [{ id: 'a', name: 'read', args: { path: 'a' } }],
    },
    { content: '[No result]', tool_call_id: 'a', name: 'read', status: 'error' },
    { content: '{"b":1}', tool_call_id: 'b' },
  ]);
});

test('after a snapshot the messages are of their classes again', () => {
  const native = [
    ...conversation(),
    new HumanMessage({
      content: [{ type: 'image', data: new Uint8Array([137, 80]), mimeType: 'image/png' }],
    }),
  ];
  native[1] = new HumanMessage({ content: 'read both', id: 'h1', name: 'ada' });
  native[5] = new AIMessage('done');
  const manager = new ContextManager({ config });
  for (const message of toMessages(native)) manager.append(message);
  const text = JSON.stringify(manager.snapshot());
  expect(text).not.toContain('lc_kwargs');
  const view = ContextManager.restore(JSON.parse(text), { config }).view();
  const back = fromMessages(view);
  expect(back.map((one) => one.constructor)).toEqual(native.map((one) => one.constructor));
  expect(back.slice(0, -1).map((one) => one.toDict().data)).toMatchObject(
    native.slice(0, -1).map((one) => ({ ...one.toDict().data })),
  );
  expect(back.at(-1)?.content).toEqual([{ type: 'image', data: 'iVA=', mimeType: 'image/png' }]);
  expect(back[2]).toMatchObject({ usage_metadata: usage, tool_calls: (native[2] as AIMessage).tool_calls });
  expect(back[3]).toMatchObject({ artifact: { rows: [1] }, tool_call_id: 'a' });
  const again = new ContextManager({ config });
  for (const message of toMessages(back)) again.append(message);
  expect(again.view().map(partsOf)).toEqual(view.map(partsOf));
});

test('a call that could not be read is opaque, and a call where a tool message answers it', () => {
  const asked = unreadable('');
  const native = [asked, new ToolMessage({ content: 'That was no JSON.', tool_call_id: 'a' })];
  const [answered] = toMessages(native) as [Message];
  expect(partsOf(answered)).toMatchObject([{ type: 'tool-call', toolCallId: 'a', input: '{"a":' }]);
  expect(partsOf(toMessages([asked])[0] as Message)).toMatchObject([{ type: 'opaque' }]);
  expect(fromMessages(toMessages(native)).every((one, index) => one === native[index])).toBe(true);
});

test('an order to remove a message is refused with what to do', () => {
  expect(() => toMessages([new RemoveMessage({ id: 'h1' })])).toThrow(/messagesStateReducer/);
});

describe('validate', () => {
  const ai = (...ids: string[]) =>
    new AIMessage({ content: 'x', tool_calls: ids.map((id) => ({ id, name: 'read', args: {} })) });
  const tool = (id: string) => new ToolMessage({ content: 'A', tool_call_id: id });
  const user = new HumanMessage('go');

  test.each<[string, BaseMessage[], string[]]>([
    ['a conversation', [user, ai('a', 'b'), tool('b'), tool('a'), ai()], []],
    ['a call without a result', [user, ai('a')], ['1 tool-calls-answered']],
    [
      'a call whose result comes later',
      [user, ai('a'), user, tool('a')],
      ['1 tool-calls-answered', '3 tool-result-has-call'],
    ],
    ['a result without a call', [user, tool('a')], ['1 tool-result-has-call']],
    ['a call that is answered twice', [user, ai('a'), tool('a'), tool('a')], ['3 tool-result-once']],
    ['two calls with one id', [user, ai('a', 'a'), tool('a')], ['1 tool-call-id-unique']],
    ['a result that says what is wrong with a call', [user, unreadable('x'), tool('a')], []],
    ['an empty message', [new HumanMessage('')], ['0 content-not-empty']],
    ['an order to remove a message', [new RemoveMessage({ id: 'h1' })], ['0 form']],
  ])('%s', (_title, messages, rules) => {
    expect(validate(messages).map(({ index, rule }) => `${index} ${rule}`)).toEqual(rules);
  });

  test('a value that is not a list', () => {
    expect(validate('hi' as unknown as BaseMessage[])).toMatchObject([{ index: -1, rule: 'form' }]);
  });
});

test('a result that is marked as failed says so, also with the same text', () => {
  const [message] = toMessages([new ToolMessage({ content: 'A', tool_call_id: 'a', name: 'read' })]);
  if (message?.role !== 'tool') throw new Error('a tool message was expected');
  const failed = { ...message, content: message.content.map((part) => ({ ...part, isError: true })) };
  expect(fromMessages([failed])).toEqual([expect.objectContaining({ content: 'A', status: 'error' })]);
});

describe('calls without ids', () => {
  const call = (path: string) => ({ id: '', name: 'read', args: { path }, type: 'tool_call' as const });
  const raw = (path: string) => ({
    ...rawCall(''),
    function: { name: 'read', arguments: `{"path":"${path}"}` },
  });
  const result = (content: string) => new ToolMessage({ content, name: 'read', tool_call_id: '' });
  const asked = (...paths: string[]) =>
    new AIMessage({
      content: '',
      tool_calls: paths.map(call),
      additional_kwargs: { tool_calls: paths.map(raw) },
    });

  const idsOf = (messages: readonly Message[]) =>
    messages.flatMap((message) =>
      partsOf(message).flatMap((part) => ('toolCallId' in part ? part.toolCallId : [])),
    );

  const shortened = (messages: readonly Message[]) =>
    messages.map((message) => {
      const content = partsOf(message).map((part) =>
        part.type === 'tool-call' ? { ...part, input: {} } : { ...part, output: 'short' },
      );
      return { ...message, content } as Message;
    });

  test('are changed in the raw fields of the provider too', () => {
    const [asking] = toMessages([asked('a', 'b')]) as [Message];
    const [first, second] = partsOf(asking);
    const edited = { ...asking, content: [first, { ...second, input: {} }] } as Message;
    const [written] = fromMessages([edited]) as [AIMessage];
    expect(written.additional_kwargs.tool_calls).toEqual([
      raw('a'),
      { ...raw('b'), function: { name: 'read', arguments: '{}' } },
    ]);
  });

  describe('in blocks', () => {
    const block = (id: string, path: string) => ({ type: 'tool_use', id, name: 'read', input: { path } });
    const inBlocks = (blocks: object[], calls: object[]) =>
      new AIMessage({ content: blocks as never, tool_calls: calls as never });

    test.each([
      ['with an id in neither', ['', ''], ['', '']],
      ['with the same id', ['x', 'x'], ['x', 'x']],
      ['with ids in the blocks only', ['x', 'y'], ['', '']],
      ['with ids in the calls only', ['', ''], ['x', 'y']],
    ])('%s they repeat the calls, and change with them', (_title, [x = '', y = ''], ids) => {
      const calls = [call('a'), call('b')].map((one, at) => ({ ...one, id: ids[at] }));
      const asking = inBlocks([block(x, 'a'), block(y, 'b')], calls);
      const [message] = toMessages([asking]) as [Message];
      const [first, second, ...others] = partsOf(message);
      expect(others).toEqual([]);
      expect(new Set(idsOf([message])).size).toBe(2);
      const edited = { ...message, content: [first, { ...second, input: {} }] } as Message;
      const [written] = fromMessages([edited]) as [AIMessage];
      expect(written.tool_calls?.map(({ args }) => args)).toEqual([{ path: 'a' }, {}]);
      expect(written.content).toMatchObject([{ input: { path: 'a' } }, { input: {} }]);
      const [alone] = fromMessages([{ ...message, content: [second] } as Message]) as [AIMessage];
      expect(alone.content).toEqual([(asking.content as object[])[1]]);
    });

    test('alone they are calls, which the results answer in their order', () => {
      const native = [inBlocks([block('', 'a'), block('', 'b')], []), result('A'), result('B')];
      const messages = toMessages(native);
      const [one, two, ...answered] = idsOf(messages);
      expect(one).not.toBe(two);
      expect(answered).toEqual([one, two]);
      const [empty, short] = [
        { id: '', input: {} },
        { tool_call_id: '', content: 'short' },
      ];
      expect(fromMessages(shortened(messages))).toMatchObject([{ content: [empty, empty] }, short, short]);
    });

    test('take the id that the call got meanwhile', () => {
      const [message] = toMessages([inBlocks([block('', 'a')], [{ ...call('a'), id: 'x' }])]) as [Message];
      const [asked] = partsOf(message);
      const [written] = fromMessages([{ ...message, content: [{ ...asked, input: {} }] } as Message]);
      expect(written?.content).toEqual([{ ...block('x', ''), input: {} }]);
    });
  });
});

const outputs = [{ type: 'tool_search_output', tools: [] }];

test.each<[string, BaseMessage]>([
  [
    'Anthropic’s',
    new AIMessage({
      content: [
        {
          type: 'tool_search_tool_result',
          content: { tool_references: [{ type: 'tool_reference', tool_name: 'read' }] },
        },
      ],
    }),
  ],
  ['OpenAI’s', new AIMessage({ content: 'Found.', response_metadata: { output: outputs } })],
  ['OpenAI’s, streamed', new AIMessage({ content: 'Found.', additional_kwargs: { tool_outputs: outputs } })],
])('tools that a search found stay in the conversation: %s', (_, message) => {
  expect(toMessages([message])).toMatchObject([{ pinned: true }]);
});

test('a block that stands for what was said before is a summary, and is pinned', () => {
  const block = { type: 'compaction', content: 'They spoke.' };
  const [message] = toMessages([new AIMessage({ content: [block, { type: 'text', text: 'Go on.' }] })]);
  expect(message).toMatchObject({ role: 'assistant', pinned: true, summary: true });
});
