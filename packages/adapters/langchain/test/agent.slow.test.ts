import { langChainAgent, tasks } from '@ctx/agents-test';
import type { Warning } from '@ctx/conversation';
import type { ContextManager } from '@ctx/core';
import { type ModelServer, type ModelServerOptions, startOpenAiServer } from '@ctx/servers';
import { MemorySaver } from '@langchain/langgraph-checkpoint';
import { ChatOpenAI } from '@langchain/openai';
import {
  type AgentMiddleware,
  type BaseMessage,
  createAgent,
  createMiddleware,
  HumanMessage,
  tool,
} from 'langchain';
import { z } from 'zod';
import type { ContextMiddlewareOptions } from '../src/context-middleware.js';
import { contextMiddleware } from '../src/index.js';

/** Tokens. Small enough that the work of all tasks does not fit. */
const window = 12_000;

const closing: ModelServer[] = [];
afterEach(async () => {
  for (const server of closing.splice(0)) await server.close();
});

async function started(options: ModelServerOptions) {
  const server = await startOpenAiServer(options);
  closing.push(server);
  return server;
}

/** The middleware with its warnings and managers in hand. */
function watched(options: ContextMiddlewareOptions = {}) {
  const warnings: Warning[] = [];
  const managers = new Map<string, ContextManager>();
  const middleware = contextMiddleware({
    config: { contextWindow: window },
    onWarning: (warning) => warnings.push(warning),
    onManager: (manager, key) => managers.set(key, manager),
    ...options,
  });
  return { middleware, warnings, managers };
}

/** Notes the messages of the state, and those that reach it from further outside. */
function observing(name: string) {
  const seen: { state: BaseMessage[]; messages: BaseMessage[] }[] = [];
  const middleware = createMiddleware({
    name,
    wrapModelCall: (request, handler) => {
      seen.push({ state: request.state.messages, messages: request.messages });
      return handler(request);
    },
  });
  return { seen, middleware };
}

describe('an agent with the middleware', () => {
  test.each<[string, (ours: AgentMiddleware, other: AgentMiddleware) => AgentMiddleware[]]>([
    ['outside of another', (ours, other) => [ours, other]],
    ['inside of another', (ours, other) => [other, ours]],
  ])(
    '%s does twelve tasks in a small window; overflows are recovered, the state keeps all',
    async (order, of) => {
      const overflowAt = [6, 20, 33];
      const server = await started({ window, overflowAt });
      const { middleware, warnings, managers } = watched();
      const other = observing('Other');
      const run = await langChainAgent({ baseURL: server.url }, of(middleware, other.middleware));
      expect({ errors: run.errors, warnings, problems: server.invalid }).toEqual({
        errors: [],
        warnings: [],
        problems: 0,
      });
      expect(run.texts.map((text) => text.replace(/:.*/, ''))).toEqual(
        tasks().map((_, at) => `Done – Task ${at + 1}`),
      );
      expect(run.toolCalls).toBe(12 * 4);
      expect(server).toMatchObject({
        accepted: 12 * 4,
        refused: overflowAt.length,
        overflowed: overflowAt.length,
      });
      expect(managers.size).toBe(1);
      const last = other.seen.at(-1);
      // Twelve tasks: a request, three answers with four results, and a final text; the very last answer is still to come.
      expect(last?.state).toHaveLength(12 * 9 - 1);
      expect(new Set(last?.state).size).toBe(12 * 9 - 1);
      const sent = last?.messages ?? [];
      const isOuter = order.startsWith('outside');
      expect(sent.length < 12 * 9 - 1).toBe(isOuter);
      expect(sent.at(-1)).toBe(last?.state.at(-1));
      expect(sent.filter((message) => last?.state.includes(message)).length).toBeGreaterThanOrEqual(3);
      expect([...managers.values()][0]?.transcript.length).toBe(12 * 9 - 1 + 1);
    },
  );

  test('that streams recovers as well', async () => {
    const server = await started({ window, overflowAt: [7, 12], overflowBy: 'stream' });
    const { middleware, warnings } = watched();
    const { stream } = agentOn(server, [middleware]);
    for (const { prompt } of tasks(4)) expect(await stream(prompt, 'one thread')).toContain('Done – ');
    expect({ warnings, invalid: server.invalid }).toEqual({ warnings: [], invalid: 0 });
    expect(server).toMatchObject({ overflowed: 2, refused: 2 });
  });
});

describe('conversations at once', () => {
  const names = Array.from({ length: 8 }, (_, at) => `client-${at}-`);

  test.each([
    ['by their threads', true],
    ['by what was said', false],
  ])('never mix, told apart %s', async (_, byThread) => {
    const server = await started({ window });
    const { middleware, warnings, managers } = watched({ config: { contextWindow: 4_400 } });
    const { ask } = agentOn(server, [middleware]);
    await Promise.all(
      names.map(async (name) => {
        let before: BaseMessage[] = [];
        for (let round = 0; round < 2; round += 1) {
          // Without names of threads the caller keeps the messages.
          const prompt = `${byThread ? '' : name}Next`;
          before = byThread ? await ask(prompt, name) : await ask(prompt, undefined, before);
          expect(before).toHaveLength((round + 1) * 9);
        }
      }),
    );
    expect({ warnings, refused: server.refused, accepted: server.accepted }).toEqual({
      warnings: [],
      refused: 0,
      accepted: names.length * 2 * 4,
    });
    expect(managers.size).toBe(names.length);
    if (byThread) expect([...managers.keys()].sort()).toEqual([...names].sort());
    for (const { transcript, history } of managers.values()) {
      expect(transcript).toHaveLength(2 * 9 - 1);
      expect(history.length).toBeGreaterThan(0);
    }
    if (!byThread)
      for (const { raw } of server.requests)
        expect(new Set(raw.toString().match(/client-\d+-/g)).size).toBe(1);
  });
});

/** An agent on a checkpointer, so that its state outlives a call. */
function agentOn(server: ModelServer, middleware: AgentMiddleware[]) {
  const model = new ChatOpenAI({
    apiKey: 'sk-test',
    model: 'gpt-4.1',
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  });
  const read = tool(({ path }: { path: string }) => `const from = '${path}';\n`.repeat(60), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
  });
  const kept = createAgent({ model, tools: [read], middleware, checkpointer: new MemorySaver() });
  const forgetful = createAgent({ model, tools: [read], middleware });
  const ask = async (prompt: string, thread: string | undefined, before: readonly BaseMessage[] = []) => {
    const input = { messages: [...before, new HumanMessage(prompt)] };
    const { messages } =
      thread === undefined
        ? await forgetful.invoke(input)
        : await kept.invoke(input, { configurable: { thread_id: thread } });
    return messages;
  };
  const stream = async (prompt: string, thread: string) => {
    const pieces: string[] = [];
    const input = { messages: [new HumanMessage(prompt)] };
    const config = { configurable: { thread_id: thread }, streamMode: 'messages' as const };
    for await (const [piece] of await kept.stream(input, config)) pieces.push(piece.text);
    return pieces.join('');
  };
  return { ask, stream };
}
