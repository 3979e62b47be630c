import { runInNewContext } from 'node:vm';
import {
  anthropicRecall,
  googleRecall,
  openaiChatRecall,
  openaiResponsesRecall,
  recallTool,
} from '../src/index.js';
import { langchainRecall } from '../src/langchain.js';
import { said, sourceOf } from './conversation.js';

const source = sourceOf([said('The port is 4711.')]);
const words = 'The port is 4711.';

describe('chat completions', () => {
  test('declare the tool and get the answer to its call', async () => {
    const recall = openaiChatRecall(await source);
    expect(recall.definition).toMatchObject({ type: 'function', function: { name: 'recall' } });
    const call = { id: 'c1', type: 'function', function: { name: 'recall', arguments: '{"query":"port"}' } };
    expect(await recall.answer(call)).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: expect.stringContaining(words),
    });
    expect(await recall.answer({ ...call, function: { name: 'other', arguments: '{}' } })).toBeUndefined();
    expect(await recall.answer({ id: 'c2', type: 'custom' })).toBeUndefined();
  });

  test.each(['{"query":"port"', 'port', '"port"', '', '{}', 'null', '[1,2]', '{"ref":{"a":1}}'])(
    'arguments that are broken get an answer: %s',
    async (text) => {
      const recall = openaiChatRecall(await source);
      const answer = await recall.answer({ id: 'c', function: { name: 'recall', arguments: text } });
      expect(answer?.content).toMatch(text.includes('port') ? words : /recall needs query/);
    },
  );
});

test('Responses declare the tool and get the answer to its call', async () => {
  const recall = openaiResponsesRecall(await source);
  expect(recall.definition).toMatchObject({ type: 'function', name: 'recall', strict: false });
  const call = { type: 'function_call', name: 'recall', call_id: 'c1', arguments: '{"ref":"#m1"}' };
  expect(await recall.answer(call)).toEqual({
    type: 'function_call_output',
    call_id: 'c1',
    output: expect.stringContaining(words),
  });
  for (const other of [{ type: 'message' }, { ...call, name: 'other' }, { ...call, call_id: null }])
    expect(await recall.answer(other)).toBeUndefined();
});

test('Messages declare the tool and get the answer to its call', async () => {
  const recall = anthropicRecall(await source);
  expect(recall.definition).toMatchObject({ name: 'recall', input_schema: { type: 'object' } });
  const call = { type: 'tool_use', id: 'c1', name: 'recall', input: { ref: 1 } };
  expect(await recall.answer(call)).toEqual({
    type: 'tool_result',
    tool_use_id: 'c1',
    content: expect.stringContaining(words),
  });
  for (const other of [{ type: 'text' }, { ...call, name: 'other' }])
    expect(await recall.answer(other)).toBeUndefined();
});

test('Gemini gets a declaration and the answer to its call, with the id if it has one', async () => {
  const recall = googleRecall(await source);
  expect(recall.definition).toMatchObject({ name: 'recall', parametersJsonSchema: { type: 'object' } });
  const response = { name: 'recall', response: { output: expect.stringContaining(words) } };
  const functionCall = { name: 'recall', args: { query: 'port' } };
  expect(await recall.answer({ functionCall })).toEqual({ functionResponse: response });
  expect(await recall.answer({ functionCall: { ...functionCall, id: 'c1' } })).toEqual({
    functionResponse: { ...response, id: 'c1' },
  });
  expect(await recall.answer({})).toBeUndefined();
});

describe('LangChain', () => {
  test.each([
    [{ query: 'port', ref: null, maxTokens: '700', kind: 'whatever' }],
    [{ ref: 1 }],
    [{ ref: '#m1', query: '' }],
  ])('takes calls that do not fit the schema: %j', async (args) => {
    expect(await langchainRecall(await source).invoke(args as never)).toContain(words);
  });

  test('finds the source by the thread of the run', async () => {
    const recall = langchainRecall(async (config) =>
      config?.configurable?.thread_id === 'a' ? source : undefined,
    );
    const call = { type: 'tool_call' as const, id: 'c1', name: 'recall', args: { query: 'port' } };
    const answer = await recall.invoke(call, { configurable: { thread_id: 'a' } });
    expect(answer).toMatchObject({ tool_call_id: 'c1', content: expect.stringContaining(words) });
    expect(await recall.invoke({ query: 'port' }, { configurable: { thread_id: 'b' } })).toMatch(
      /^Nothing has/,
    );
  });
});

test('every form has definitions of its own, as JSON', async () => {
  const all = () => [
    recallTool(() => undefined).parameters,
    openaiChatRecall(() => undefined).definition,
    openaiResponsesRecall(() => undefined).definition,
    anthropicRecall(() => undefined).definition,
    googleRecall(() => undefined).definition,
  ];
  const before = JSON.stringify(all());
  for (const one of all().slice(1)) runInNewContext('one.name = "changed"; one.description = ""', { one });
  expect(JSON.stringify(all())).toBe(before);
});
