import { createAnthropic } from '@ai-sdk/anthropic-4';
import Anthropic from '@anthropic-ai/sdk';
import { contextFetch } from '@ctx/fetch';
import { startProxy } from '@ctx/proxy';
import { type ModelServer, type Script, startAnthropicServer } from '@ctx/servers';
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

/** A server, and options of what replays its threads. */
async function setUp(own?: Script) {
  const server = await opened(startAnthropicServer({ window: 6_000, script: own ?? script }));
  const warnings: string[] = [];
  const config = { contextWindow: 6_000 };
  const onWarning = ({ code }: { readonly code: string }) => void warnings.push(code);
  return { server, warnings, options: { threads: 'replay', config, onWarning } as const };
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

const threadsIn = ({ requests }: ModelServer) =>
  requests.map(({ json }) => (json?.thread as { readonly type: string } | undefined)?.type);

describe.each([
  ['generate', undefined],
  ['stream', true],
])('threads of Anthropic’s tool runner, replayed: %s', (_, stream) => {
  const clientOf = (server: ModelServer, fetch: typeof globalThis.fetch) =>
    new Anthropic({ apiKey: 'sk-test', baseURL: server.url, fetch, maxRetries: 0 });

  const run = async (client: Anthropic, halfway?: () => void, more: object = {}) => {
    const runner = client.beta.messages.toolRunner({ ...params, stream, ...more } as typeof params);
    let at = 0;
    for await (const message of runner) {
      if ('finalMessage' in message) await (message as { finalMessage(): Promise<unknown> }).finalMessage();
      at += 1;
      if (at === 12) halfway?.();
    }
    return runner.done();
  };

  test('go on as they are below the target, and in a new thread above it', async () => {
    const { server, warnings, options } = await setUp();
    const { content } = await run(clientOf(server, contextFetch(options)));
    expect(content.at(-1)).toMatchObject({ text: 'Done.' });
    const threads = threadsIn(server);
    expect(threads).toHaveLength(turns);
    expect(threads.slice(0, 5)).toEqual(['create', 'continue', 'continue', 'continue', 'continue']);
    const created = threads.filter((one) => one === 'create').length;
    expect(created).toBeGreaterThan(1);
    expect(created).toBeLessThan(turns / 2);
    expect([server.problems, warnings]).toEqual([[], []]);
  });

  test('are none with `thread: false`, and then the conversation is managed', async () => {
    const { server, warnings, options } = await setUp();
    await run(clientOf(server, contextFetch(options)), undefined, { thread: false });
    expect(threadsIn(server)).toEqual(Array(turns).fill(undefined));
    expect([server.problems, warnings]).toEqual([[], []]);
  });

  test('go through a proxy with a recall, which is restarted in the middle', async () => {
    const { server, warnings, options } = await setUp();
    const started = () => opened(startProxy({ port: 0, upstream: server.url, recall: true, ...options }));
    let proxy = started();
    const client = clientOf(server, async (input, init) =>
      fetch(String(input).replace(server.url, (await proxy).url), init),
    );
    const { content } = await run(client, () => {
      proxy = started();
    });
    expect(content.at(-1)).toMatchObject({ text: 'Done.' });
    expect([server.overflowed, server.invalid]).toEqual([1, 0]);
    expect(warnings).toEqual(['thread-unknown']);
  });
});

test.each([
  ['generateText', generateText],
  ['streamText', streamText],
])('those of %s of the AI SDK are replayed as well', async (_, ask) => {
  const { server, warnings, options } = await setUp(({ prompt }) => ({
    text: `Done: ${prompt.split(' line')[0]}`,
    calls: [],
  }));
  const baseURL = `${server.url}/v1`;
  const provider = createAnthropic({ apiKey: 'sk-test', baseURL, fetch: contextFetch(options) });
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
