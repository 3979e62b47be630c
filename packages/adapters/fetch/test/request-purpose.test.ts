import { errandOf, isReadEndpoint } from '../src/request-purpose.js';

const tools = [{ name: 'read' }];
/** The newest message of a conversation. */
const user = (content: unknown) => ({
  tools,
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'user', content },
  ],
});
const result = { type: 'tool_result', tool_use_id: 't', content: 'Summarize this session.' };
const text = (said: string) => ({ type: 'text', text: said });
const input = (said: string) => ({
  input: [{ role: 'user', content: [{ type: 'input_text', text: said }] }],
});
const contents = (said: string) => ({ contents: [{ role: 'user', parts: [{ text: said }] }] });
const system = (content: string) => ({
  messages: [
    { role: 'system', content },
    { role: 'user', content: 'x' },
  ],
});

describe('a request for a summary of the conversation', () => {
  const detailed = 'Your task is to create a detailed summary of the conversation so far';
  const codex = 'You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary.';
  const gemini = 'First, reason in your scratchpad. Then, generate the <state_snapshot>.';
  const qwen =
    'You are the component that summarizes a conversation when its context window is about to overflow.';
  const concise = 'Please provide a concise summary of our conversation so far, capturing the key context';
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['Claude Code', user(`CRITICAL: Respond with TEXT ONLY.\n\n${detailed}, paying close attention…`), {}],
    ['Claude Code, after the results of tools', user([{ ...result, content: 'x' }, text(detailed)]), {}],
    ['Codex', { tools: [], ...input(codex) }, {}],
    ['Gemini CLI', contents(gemini), {}],
    ['Qwen Code', system(qwen), {}],
    ['Copilot', user('x'), { 'x-interaction-type': 'conversation-compaction' }],
    ['Continue', user(concise), {}],
    ['Cline', user('Summarize this session for continuation. Be concise and factual.'), {}],
  ])('of %s is known', (_, body, headers) => {
    expect(errandOf('turn', body, new Headers(headers))).toEqual({ purpose: 'compaction', isWhole: false });
  });

  const earlier = user('Summarize this session.').messages;
  const later = [
    { role: 'assistant', content: 'It was…' },
    { role: 'user', content: 'go on' },
  ];
  const harness = 'The harness summarizes the conversation when it is long.';
  test.each<[string, Record<string, unknown>]>([
    ['a question about a file', user('Please summarize src/history.ts and its tests.')],
    ['a summary in the repository', user('Write a summary of the API into README.md.')],
    ['words of an earlier message', { tools, messages: [...earlier, ...later] }],
    ['the result of a tool', user([result])],
    ['a system prompt that speaks of it, with tools', { ...user('hi'), system: harness }],
    ['nothing', {}],
  ])('is not %s', (_, body) => {
    expect(errandOf('turn', body, new Headers())).toEqual({ purpose: 'turn', isWhole: false });
  });
});

const trigger = { tools, input: [{ role: 'user', content: 'x' }, { type: 'compaction_trigger' }] };
const onDemand = { ...user('x'), compaction: { type: 'summarize' } };
const threshold = { ...user('x'), context_management: { edits: [{ type: 'compact_20260112' }] } };
const entry = { input: trigger.input.slice(0, 1), context_management: [{ type: 'compaction' }] };
const clearing = { ...user('x'), context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };

test.each<[string, Parameters<typeof errandOf>[0], Record<string, unknown>, ReturnType<typeof errandOf>]>([
  ['by an item', 'turn', trigger, { purpose: 'compaction', isWhole: true }],
  ['on demand', 'turn', onDemand, { purpose: 'compaction', isWhole: true }],
  ['at its endpoint', 'compaction', user('x'), { purpose: 'compaction', isWhole: true }],
  ['from a threshold on, in a turn', 'turn', threshold, { purpose: 'turn', isWhole: true }],
  ['from a threshold on, of OpenAI', 'turn', entry, { purpose: 'turn', isWhole: true }],
  ['in a request that is only counted', 'count', onDemand, { purpose: 'count', isWhole: true }],
  ['not, if it only clears results', 'turn', clearing, { purpose: 'turn', isWhole: false }],
  [
    'not, if the field is null',
    'turn',
    { ...user('x'), compaction: null },
    { purpose: 'turn', isWhole: false },
  ],
])('the provider compacts %s', (_, endpoint, body, errand) => {
  expect(errandOf(endpoint, body, new Headers())).toEqual(errand);
});

test.each([
  ['/v1/messages', true],
  ['/v1/messages/count_tokens', true],
  ['/v1/responses/compact', true],
  ['/v1/responses/input_tokens', true],
  ['/v1beta/models/gemini-2.5-pro:countTokens', true],
  ['/v1/models', false],
  ['/v1/messages/batches', false],
])('the endpoint %s is read: %s', (path, isRead) => {
  expect(isReadEndpoint(new URL(`http://x${path}`))).toBe(isRead);
});
