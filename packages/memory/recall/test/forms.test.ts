import { recallTool } from '../src/index.js';
import { langchainRecall } from '../src/langchain.js';
import { said, sourceOf } from './conversation.js';

const source = sourceOf([said('The port is 4711.')]);
const words = 'The port is 4711.';

test.each(['{"query":"port"', 'port', '"port"', '', '{}', 'null', '[1,2]', '{"ref":{"a":1}}'])(
  'arguments that are broken get an answer: %s',
  async (text) => {
    const answer = await recallTool(await source).run(text);
    expect(answer).toMatch(text.includes('port') ? words : /recall needs query/);
  },
);

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
