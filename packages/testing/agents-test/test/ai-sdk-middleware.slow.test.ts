import { newestTask, startServerFor } from '@ctx/agents-test';
import { contextMiddleware } from '@ctx/ai-sdk';
import { type ContextManager, type Part, partsOf } from '@ctx/core';
import type { ModelServerOptions } from '@ctx/testing';
import { wrapLanguageModel } from 'ai';
import type { Agent } from '../src/agent.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  type ModelOf,
  openAiChatModel,
  openAiResponsesModel,
} from '../src/ai-sdk.js';

/** Tokens; small enough that the work of all tasks does not fit. */
const window = 12_000;

type Wrappable = Parameters<typeof wrapLanguageModel>[0]['model'];

const apis = [
  ['chat', 'openai', openAiChatModel],
  ['responses', 'openai', openAiResponsesModel],
  ['anthropic', 'anthropic', anthropicModel],
] as const;
const ways = [
  ['generated', aiSdkGenerate],
  ['streamed', aiSdkStream],
] as const;
const cases = apis.flatMap(([api, provider, modelOf]) =>
  ways.map(([way, agentOf]) => [`${api}, ${way}`, provider, modelOf, agentOf] as const),
);

/** Runs an agent whose model is wrapped, and nothing else. */
async function run(
  provider: 'openai' | 'anthropic',
  modelOf: ModelOf,
  agentOf: (modelOf: ModelOf) => Agent,
  options: ModelServerOptions,
) {
  const managers: { manager: ContextManager; key: string }[] = [];
  const warnings: string[] = [];
  const middleware = contextMiddleware({
    config: { contextWindow: window },
    onManager: (manager, key) => managers.push({ manager, key }),
    onWarning: ({ code }) => warnings.push(code),
  });
  const server = await startServerFor({ provider }, options);
  const agent = agentOf((where) => wrapLanguageModel({ model: modelOf(where) as Wrappable, middleware }));
  const done = await agent({ baseURL: server.url });
  await server.close();
  return { ...done, server, managers, warnings };
}

describe.each(cases)('%s', (name, provider, modelOf, agentOf) => {
  // An answer that is generated has no stream to tell it in; one that is streamed is tried both ways with one API.
  test.each([
    ...(name.endsWith('generated') || name.startsWith('chat') ? (['status'] as const) : []),
    ...(name.endsWith('streamed') ? (['stream'] as const) : []),
  ])('does all its work in a small window; overflows by %s are recovered', async (overflowBy) => {
    const forced = [5, 20, 33];
    const { texts, errors, toolCalls, server, managers, warnings } = await run(provider, modelOf, agentOf, {
      window,
      script: newestTask,
      overflowAt: forced,
      overflowBy,
      chunkBytes: 7,
    });
    // Who does not name the window when it refuses a request teaches one that is smaller.
    expect([errors, warnings]).toEqual([[], name.startsWith('responses') ? ['window-learned'] : []]);
    expect(texts.map((text) => text.replace(/:.*/, ''))).toEqual(
      Array.from({ length: 12 }, (_, at) => `Done – Task ${at + 1}`),
    );
    expect(toolCalls).toBe(12 * 4);
    expect(server).toMatchObject({
      accepted: 12 * 4,
      overflowed: forced.length,
      invalid: 0,
      refused: forced.length,
    });
    expect(server.requests.every(({ tokens = 0 }) => tokens <= window)).toBe(true);
    // The system prompt, and of each task the user, four messages of the assistant and three of tools; the last answer was not sent back.
    // A refusal that teaches the window makes another manager of the same conversation.
    expect(new Set(managers.map(({ key }) => key)).size).toBe(1);
    const said = managers.at(-1)?.manager.transcript.map(({ message }) => message) ?? [];
    const parts = said.flatMap((message): Part[] => [...partsOf(message)]);
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
    const results = parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []));
    expect([new Set(calls).size, calls.length, results]).toEqual([48, 48, calls]);
    expect(said.filter(({ role }) => role === 'user')).toHaveLength(12);
  });
});

test('agents at once through one middleware never mix', async () => {
  const all = 8;
  const managers: ContextManager[] = [];
  const middleware = contextMiddleware({
    config: { contextWindow: 6_000 },
    onManager: (manager) => managers.push(manager),
  });
  const server = await startServerFor({ provider: 'openai' }, { window: 6_000 });
  const runs = await Promise.all(
    Array.from({ length: all }, (_, at) => {
      const agentOf = at % 2 === 0 ? aiSdkGenerate : aiSdkStream;
      const agent = agentOf((where) =>
        wrapLanguageModel({ model: openAiChatModel(where) as Wrappable, middleware }),
      );
      const tasks = [1, 2, 3].map((task) => ({ prompt: `I am agent${at}x; this is task ${task}.` }));
      return agent({ baseURL: server.url, tasks });
    }),
  );
  await server.close();
  expect(runs.flatMap(({ errors }) => errors)).toEqual([]);
  expect([server.accepted, server.refused]).toEqual([all * 3 * 4, 0]);
  for (const { raw } of server.requests) expect(new Set(raw.toString().match(/agent\d+x/g)).size).toBe(1);
  expect(managers.map((manager) => manager.stats().historyCount > 0)).toEqual(Array(all).fill(true));
});
