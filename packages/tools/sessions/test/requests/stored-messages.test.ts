import { modelMessageCodec } from '@ctx/codec-ai-sdk';
import { readSession } from '@ctx/sessions';
import { expectAccepted, jsonLines, outline, sessionFile } from '../session-file.js';

const text = (value: string) => ({ type: 'text', text: value });
const expected = [
  'system Be brief.',
  'user Is it raining in Bonn?',
  'assistant call c1 I look.',
  'tool result c1 {"sky":"rain"}',
  'assistant Yes.',
];

const weather = { toolCallId: 'c1', toolName: 'weather' };
const modelMessages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [text('Is it raining in Bonn?')] },
  {
    role: 'assistant',
    content: [text('I look.'), { type: 'tool-call', ...weather, input: { city: 'Bonn' } }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', ...weather, output: { type: 'json', value: { sky: 'rain' } } }],
  },
  { role: 'assistant', content: 'Yes.' },
];

const call = { toolCallId: 'c1', input: { city: 'Bonn' }, output: { sky: 'rain' } };
const uiMessages = (tool: object) => [
  { id: 's', role: 'system', parts: [text('Be brief.')] },
  { id: 'a', role: 'user', parts: [text('Is it raining in Bonn?'), { type: 'data-place', data: 1 }] },
  {
    id: 'b',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { ...text('I look.'), state: 'done' },
      tool,
      { type: 'step-start' },
      { ...text('Yes.'), state: 'done' },
      { type: 'source-url', sourceId: 'x', url: 'https://example.com' },
    ],
  },
];

const human = { content: 'Is it raining in Bonn?' };
const calling = {
  content: 'I look.',
  tool_calls: [{ type: 'tool_call', id: 'c1', name: 'weather', args: { city: 'Bonn' } }],
  additional_kwargs: {
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bonn"}' } }],
  },
};
const answer = { content: '{"sky":"rain"}', tool_call_id: 'c1', name: 'weather', status: 'success' };
const lc = { lc: 1, type: 'constructor' };
const langchain = [
  ['system', 'SystemMessage', { content: 'Be brief.' }],
  ['human', 'HumanMessage', human],
  ['ai', 'AIMessageChunk', calling],
  ['tool', 'ToolMessage', answer],
  ['ai', 'AIMessage', { content: [text('Yes.')] }],
] as const;

const stored: [string, string, readonly object[]][] = [
  ['ai-sdk', 'ModelMessages', modelMessages],
  ['ai-sdk', 'UIMessages', uiMessages({ type: 'tool-weather', state: 'output-available', ...call })],
  [
    'ai-sdk',
    'UIMessages with a dynamic tool',
    uiMessages({ type: 'dynamic-tool', toolName: 'weather', state: 'output-available', ...call }),
  ],
  [
    'ai-sdk',
    'UIMessages of version 4',
    uiMessages({
      type: 'tool-invocation',
      toolInvocation: {
        state: 'result',
        toolCallId: 'c1',
        toolName: 'weather',
        args: { city: 'Bonn' },
        result: { sky: 'rain' },
      },
    }),
  ],
  ['langchain', '{ type, data }', langchain.map(([type, , data]) => ({ type, data }))],
  [
    'langchain',
    'what JSON.stringify writes',
    langchain.map(([, name, kwargs]) => ({ ...lc, id: ['langchain_core', 'messages', name], kwargs })),
  ],
  [
    'langchain',
    'fields beside their type',
    langchain.map(([type, , data]) => ({ type, additional_kwargs: {}, ...data })),
  ],
];

describe.each(stored)('%s: %s', (format, _, messages) => {
  test.each([
    ['a document', JSON.stringify(messages, null, 2)],
    ['a stored chat', JSON.stringify({ id: 'chat-1', messages })],
    ['a message a line', jsonLines(...messages)],
  ])('in %s, every text and result is read', async (_form, content) => {
    const session = await readSession(sessionFile(content));
    expectAccepted(session);
    expect(session.format).toBe(format);
    expect(outline(session.messages)).toEqual(expected);
    expect(session.skipped).toEqual([]);
  });
});

test('a call without a result, one that failed and one that a provider ran are what the SDK makes of them', async () => {
  const providerExecuted = true;
  const failed = { toolCallId: '1', toolName: 'a' };
  const parts = [
    { type: 'reasoning', text: 'Hm.', providerMetadata: { x: { signature: 's' } } },
    { type: 'tool-a', toolCallId: '1', state: 'output-error', input: {}, errorText: 'No such city' },
    {
      type: 'tool-b',
      toolCallId: '2',
      state: 'output-available',
      input: {},
      output: 'sun',
      providerExecuted,
    },
    { type: 'tool-c', toolCallId: '3', state: 'input-available', input: { n: 1 } },
    { type: 'tool-d', toolCallId: '4', state: 'input-streaming', input: undefined },
  ];
  const { messages } = await readSession(
    sessionFile(
      JSON.stringify([
        { id: 'u', role: 'user', parts: [text('Go.')] },
        { id: 'a', role: 'assistant', parts },
      ]),
    ),
  );
  expect(modelMessageCodec.fromMessages(messages).slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { x: { signature: 's' } } },
        { type: 'tool-call', toolCallId: '1', toolName: 'a', input: {} },
        { type: 'tool-call', toolCallId: '2', toolName: 'b', input: {}, providerExecuted: true },
        { type: 'tool-result', toolCallId: '2', toolName: 'b', output: { type: 'text', value: 'sun' } },
        { type: 'tool-call', toolCallId: '3', toolName: 'c', input: { n: 1 } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', ...failed, output: { type: 'error-text', value: 'No such city' } }],
    },
  ]);
});
