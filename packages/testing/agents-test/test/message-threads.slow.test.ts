import Anthropic from '@anthropic-ai/sdk';
import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import { type ModelServer, type ModelServerOptions, type Script, startAnthropicServer } from '@ctx/servers';

const words = (count: number, word: string) => Array(count).fill(word).join(' ');

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Turns of one run, each with thinking, and all but the last with a call. */
const turns = 25;
const script: Script = ({ round, tools }) => ({
  thinking: `Step ${round} needs a look.`,
  text: round < turns - 1 ? `Step ${round}.` : 'Done.',
  calls: round < turns - 1 ? [{ name: tools[0] ?? '', input: { path: `src/${round}.ts` } }] : [],
});

/** A server, and agents of which each has a `contextFetch` of its own. */
async function setUp(options: ModelServerOptions = {}) {
  const server = await startAnthropicServer({ script, ...options });
  closing.push(server.close);
  const warnings: string[] = [];
  const fetchOf = (own: ContextFetchOptions = {}) =>
    contextFetch({
      config: { contextWindow: 6_000 },
      threads: 'replay',
      onWarning: ({ code }) => warnings.push(code),
      ...own,
    });
  return { server, warnings, fetchOf };
}

const tool = {
  type: 'custom' as const,
  name: 'read_file',
  description: 'Reads a file',
  input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
  parse: (input: unknown) => input as { path: string },
  run: ({ path }: { path: string }) => `${path}\n${words(400, 'line')}`,
};

const params = {
  model: 'claude-opus-5-5',
  max_tokens: 100,
  thinking: { type: 'adaptive' as const },
  system: 'Be brief.',
  tools: [tool],
  messages: [{ role: 'user' as const, content: 'Look at all of it.' }],
};

type Json = Readonly<Record<string, unknown>>;
const bodiesOf = ({ requests }: ModelServer) => requests.map(({ json }) => json as Json);
const threadsIn = (server: ModelServer) => bodiesOf(server).map(({ thread }) => (thread as Json).type);

describe.each([
  ['generate', undefined],
  ['stream', true],
])('threads of Anthropic’s tool runner, replayed: %s', (_, stream) => {
  const clientOf = (server: ModelServer, fetch: typeof globalThis.fetch) =>
    new Anthropic({ apiKey: 'sk-test', baseURL: server.url, fetch, maxRetries: 0 });

  const run = async (client: Anthropic, swap?: (at: number) => void) => {
    const runner = client.beta.messages.toolRunner({ ...params, stream } as typeof params);
    let at = 0;
    for await (const message of runner) {
      if ('finalMessage' in message) await (message as { finalMessage(): Promise<unknown> }).finalMessage();
      at += 1;
      swap?.(at);
    }
    return runner.done();
  };

  test('go on as they are below the target, and in a new thread above it', async () => {
    const { server, warnings, fetchOf } = await setUp({ window: 6_000 });
    const { content } = await run(clientOf(server, fetchOf()));
    expect(content.at(-1)).toMatchObject({ text: 'Done.' });
    const threads = threadsIn(server);
    expect(threads).toHaveLength(turns);
    expect(threads.slice(0, 5)).toEqual(['create', 'continue', 'continue', 'continue', 'continue']);
    const created = threads.filter((one) => one === 'create').length;
    expect(created).toBeGreaterThan(1);
    expect(created).toBeLessThan(turns / 2);
    expect([server.problems, warnings]).toEqual([[], []]);
  });
});
