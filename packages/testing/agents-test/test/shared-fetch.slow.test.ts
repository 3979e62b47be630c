import Anthropic from '@anthropic-ai/sdk';
import { agents, startServerFor, type Task, taskScript, tasks } from '@ctx/agents-test';
import type { ContextManager } from '@ctx/core';
import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import { startAnthropicServer, startOpenAiServer, turn } from '@ctx/servers';
import OpenAI from 'openai';
import { opened } from './kit.js';

const window = 12_000;
/** The tests of conversation have twenty; here each SDK shows that it sends what tells them apart. */
const conversations = 8;
const named = (name: string) =>
  agents.filter((agent) => agent.name === name || agent.name === `${name}, streamed`);

/** One function for everything, and what it makes. */
function oneFetch(options: ContextFetchOptions = {}) {
  const managers: ContextManager[] = [];
  const warnings: unknown[] = [];
  const fetch = contextFetch({
    config: { contextWindow: window },
    onManager: (manager) => managers.push(manager),
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  return { fetch, managers, warnings };
}

describe.each(['openai chat', 'openai responses', 'anthropic', 'google'].flatMap((name) => named(name)))(
  '$name',
  (agent) => {
    test('conversations at once through one function never mix', async () => {
      const ofAgent = (at: number): Task[] =>
        tasks(3).map(({ prompt }) => ({ prompt: `agent${at}x: ${prompt}` }));
      const all = Array.from({ length: conversations }, (_, at) => ofAgent(at));
      const server = await opened(startServerFor(agent, { window, script: taskScript(all.flat()) }));
      const { fetch, managers, warnings } = oneFetch();
      const runs = await Promise.all(all.map((own) => agent.run({ baseURL: server.url, fetch, tasks: own })));
      expect(runs.flatMap(({ errors }) => errors)).toEqual([]);
      runs.forEach(({ texts }, at) => {
        expect(texts.map((text) => text.replace(/: find.*/, ''))).toEqual(
          [1, 2, 3].map((task) => `Done – agent${at}x: Task ${task}`),
        );
      });
      for (const { body } of server.requests)
        expect(new Set(body.toString().match(/agent\d+x/g))).toHaveProperty('size', 1);
      expect(server).toMatchObject({ accepted: conversations * 12, refused: 0 });
      expect(managers).toHaveLength(conversations);
      expect(managers.every((manager) => manager.stats().compressions > 0)).toBe(true);
      expect(warnings).toEqual([]);
    });
  },
);

describe.each(['openai chat', 'openai responses', 'anthropic'].flatMap((name) => named(name)))(
  '$name',
  (agent) => {
    test('what the SDK asks for again is one request', async () => {
      const faults = {
        3: { type: 'status', status: 429 },
        9: { type: 'status', status: 500 },
        15: { type: 'drop' },
        21: { type: 'html', status: 503 },
      } as const;
      const all = tasks(6);
      const server = await opened(startServerFor(agent, { window, faults, script: taskScript(all) }));
      const { fetch, managers, warnings } = oneFetch();
      const { errors, texts, history } = await agent.run({ baseURL: server.url, fetch, tasks: all });
      expect(errors).toEqual([]);
      expect(texts).toHaveLength(6);
      expect(server).toMatchObject({ accepted: 24, refused: 0 });
      expect(managers).toHaveLength(1);
      const said = JSON.stringify(managers[0]?.transcript.map(({ message }) => message.content));
      for (const { prompt } of all) expect(said.split(JSON.stringify(prompt).slice(1, -1))).toHaveLength(2);
      expect(history.length).toBeGreaterThan(40);
      expect(warnings).toEqual([]);
    });
  },
);

/** Ms that an SDK waits; they pass only when a test says so. */
const timeout = 86_400_000;
const body = { messages: [{ role: 'user' as const, content: 'Say something.' }], stream: true as const };
type Ask = (url: string, fetch: typeof globalThis.fetch, how?: object) => PromiseLike<AsyncIterable<unknown>>;
const clients: Record<string, { start: typeof startOpenAiServer; ask: Ask }> = {
  openai: {
    start: startOpenAiServer,
    ask: (url, fetch, how) =>
      new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, fetch, timeout }).chat.completions.create(
        { model: 'gpt-5', ...body },
        how,
      ),
  },
  anthropic: {
    start: startAnthropicServer,
    ask: (baseURL, fetch, how) =>
      new Anthropic({ apiKey: 'sk-test', baseURL, fetch, timeout }).messages.create(
        { model: 'claude-sonnet-5-5', max_tokens: 100, ...body },
        how,
      ),
  },
};

describe.each(Object.entries(clients))('a stream of %s', (_name, { start, ask }) => {
  test('that never begins is asked for again when the SDK has waited long enough', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date', 'performance'] });
    const server = await opened(start({ faults: { 1: { type: 'stall' } } }));
    const { fetch, managers } = oneFetch();
    const pieces: unknown[] = [];
    const reading = (async () => {
      for await (const piece of await ask(server.url, fetch)) pieces.push(piece);
    })();
    while (server.requests.length < 1) await turn();
    await jest.advanceTimersByTimeAsync(timeout);
    // It waits some seconds before it asks again.
    while (server.requests.length < 2) {
      await jest.advanceTimersByTimeAsync(1_000);
      await turn();
    }
    jest.useRealTimers();
    await reading;
    expect(pieces.length).toBeGreaterThan(1);
    expect(server.requests.map(({ outcome }) => outcome)).toEqual(['fault', 'accepted']);
    expect(managers).toHaveLength(1);
  });

  test('that the agent aborts in the middle ends, and the conversation goes on', async () => {
    const server = await opened(start({ faults: { 1: { type: 'stall', afterBytes: 400 } } }));
    const { fetch, managers, warnings } = oneFetch();
    const abort = new AbortController();
    const pieces: unknown[] = [];
    const reading = async () => {
      for await (const piece of await ask(server.url, fetch, { signal: abort.signal })) {
        pieces.push(piece);
        abort.abort();
      }
    };
    await reading().catch((error: unknown) => expect(String(error)).toMatch(/abort/i));
    expect(pieces).toHaveLength(1);
    const again: unknown[] = [];
    for await (const piece of await ask(server.url, fetch)) again.push(piece);
    expect(again.length).toBeGreaterThan(1);
    expect(managers).toHaveLength(1);
    expect(warnings).toEqual([]);
  });
});
