import { createAnthropic } from '@ai-sdk/anthropic-4';
import Anthropic from '@anthropic-ai/sdk';
import { memoryStateStore } from '@ctx/conversation';
import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import { startProxy } from '@ctx/proxy';
import { type ModelServer, type ModelServerOptions, type Script, startAnthropicServer } from '@ctx/servers';
import { words } from '@ctx/testing';
import { generateText, streamText } from 'ai-7';
import { opened } from './kit.js';

/** Turns of one run, each with thinking, and all but the last with a call. */
const turns = 25;
const script: Script = ({ round, tools }) => ({
  thinking: `Step ${round} needs a look.`,
  text: round < turns - 1 ? `Step ${round}.` : 'Done.',
  calls: round < turns - 1 ? [{ name: tools[0] ?? '', input: { path: `src/${round}.ts` } }] : [],
});

/** A server, and agents of which each has a `contextFetch` of its own. */
async function setUp(options: ModelServerOptions = {}) {
  const server = await opened(startAnthropicServer({ script, ...options }));
  const warnings: string[] = [];
  const config = { contextWindow: 6_000 };
  const fetchOf = (own: ContextFetchOptions = {}) =>
    contextFetch({ config, threads: 'replay', onWarning: ({ code }) => warnings.push(code), ...own });
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

  test('go on after a restart in the middle: what is too large to be continued comes again whole', async () => {
    const { server, warnings, fetchOf } = await setUp({ window: 6_000 });
    let fetch = fetchOf();
    const restarting = clientOf(server, (input, init) => fetch(input, init));
    const { content } = await run(restarting, (at) => {
      if (at === 5) fetch = fetchOf();
    });
    expect(content.at(-1)).toMatchObject({ text: 'Done.' });
    // The last that nobody could cut, as nobody but the client knew the rest.
    expect([server.overflowed, server.invalid, warnings]).toEqual([1, 0, ['thread-unknown']]);
    expect(threadsIn(server).slice(10)).toContain('create');
  });

  test('go on with another process that has the same states', async () => {
    const { server, warnings, fetchOf } = await setUp({ window: 6_000 });
    const states = memoryStateStore();
    let fetch = fetchOf({ states });
    const restarting = clientOf(server, (input, init) => fetch(input, init));
    await run(restarting, () => {
      fetch = fetchOf({ states });
    });
    expect(threadsIn(server)).toHaveLength(turns);
    expect([server.problems, warnings]).toEqual([[], []]);
  });

  test('stay one conversation if the provider forgets the thread in the middle', async () => {
    let time = 0;
    const now = () => time;
    const { server, warnings, fetchOf } = await setUp({ window: 6_000, now });
    const keys: string[] = [];
    const client = clientOf(server, fetchOf({ now, onManager: (_, key) => keys.push(key) }));
    await run(client, (at) => {
      if (at === 1 || at === 8) time += 6 * 60_000;
    });
    // The second time ctx makes it smaller, as the cache is gone too.
    expect(server.problems).toEqual(['thread_not_found']);
    expect(threadsIn(server)[9]).toBe('create');
    expect([keys.length, warnings]).toEqual([1, []]);
  });

  test('go through a proxy with a recall, which is restarted in the middle', async () => {
    const { server } = await setUp({ window: 6_000 });
    const warnings: string[] = [];
    const started = () =>
      opened(
        startProxy({
          port: 0,
          upstream: server.url,
          recall: true,
          threads: 'replay',
          config: { contextWindow: 6_000 },
          onWarning: ({ code }) => warnings.push(code),
        }),
      );
    let proxy = started();
    const client = clientOf(server, async (input, init) =>
      fetch(String(input).replace(server.url, (await proxy).url), init),
    );
    const { content } = await run(client, (at) => {
      if (at === 12) proxy = started();
    });
    expect(content.at(-1)).toMatchObject({ text: 'Done.' });
    expect([server.overflowed, server.invalid]).toEqual([1, 0]);
    expect(warnings).toEqual(['thread-unknown']);
  });

  test('of two agents at once are kept apart', async () => {
    const { server, warnings, fetchOf } = await setUp({ window: 6_000 });
    const client = clientOf(server, fetchOf());
    await Promise.all([run(client), run(client)]);
    expect(server.requests).toHaveLength(2 * turns);
    expect([server.problems, warnings]).toEqual([[], []]);
  });
});

test.each([
  ['generateText', generateText],
  ['streamText', streamText],
])('those of %s of the AI SDK are replayed as well', async (_, ask) => {
  const { server, warnings, fetchOf } = await setUp({
    window: 6_000,
    script: ({ prompt }) => ({ text: `Done: ${prompt.split(' line')[0]}`, calls: [] }),
  });
  const provider = createAnthropic({ apiKey: 'sk-test', baseURL: `${server.url}/v1`, fetch: fetchOf() });
  let thread: Record<string, string> = { type: 'create' };
  for (let at = 0; at < turns; at += 1) {
    const answer = await ask({
      model: provider('claude-opus-5-5'),
      prompt: `turn ${at} ${words(400, 'line')}`,
      providerOptions: { anthropic: { thread } },
    });
    expect(await answer.text).toBe(`Done: turn ${at}`);
    thread = { type: 'continue', previousMessageId: (await answer.response).id };
  }
  expect(threadsIn(server).filter((one) => one === 'create').length).toBeGreaterThan(1);
  expect([server.problems, warnings]).toEqual([[], []]);
});
