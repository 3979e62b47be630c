import { startServerFor, taskScript, tasks } from '@ctx/agents-test';
import { type ContextManager, type Part, partsOf } from '@ctx/core';
import type { ModelServerOptions } from '@ctx/servers';
import type { Agent } from '../src/agent.js';
import { aiSdk6, type ModelOf } from '../src/ai-sdk.js';

const { aiSdkGenerate, aiSdkStream, anthropicModel, openAiChatModel, openAiResponsesModel, wrapped } = aiSdk6;

/** Tokens; small enough that the work of all tasks does not fit. */
const window = 12_000;

const apis = [
  ['chat', openAiChatModel],
  ['responses', openAiResponsesModel],
  ['messages', anthropicModel],
] as const;
const ways = [
  ['generated', aiSdkGenerate],
  ['streamed', aiSdkStream],
] as const;
const cases = apis.flatMap(([api, modelOf]) =>
  ways.map(([way, agentOf]) => [`${api}, ${way}`, api, modelOf, agentOf] as const),
);

/** Runs an agent whose model is wrapped, and nothing else. */
async function run(
  api: (typeof apis)[number][0],
  modelOf: ModelOf,
  agentOf: (modelOf: ModelOf) => Agent,
  options: ModelServerOptions,
) {
  const managers: { manager: ContextManager; key: string }[] = [];
  const warnings: string[] = [];
  const managed = wrapped(modelOf, {
    config: { contextWindow: window },
    onManager: (manager, key) => managers.push({ manager, key }),
    onWarning: ({ code }) => warnings.push(code),
  });
  const server = await startServerFor({ api }, options);
  const agent = agentOf(managed);
  const done = await agent({ baseURL: server.url });
  await server.close();
  return { ...done, server, managers, warnings };
}

describe.each(cases)('%s', (name, api, modelOf, agentOf) => {
  // An answer that is generated has no stream to tell it in; one that is streamed is tried both ways with one API.
  test.each([
    ...(name.endsWith('generated') || name.startsWith('chat') ? (['status'] as const) : []),
    ...(name.endsWith('streamed') ? (['stream'] as const) : []),
  ])('does all its work in a small window; overflows by %s are recovered', async (overflowBy) => {
    const forced = [5, 20, 33];
    const { texts, errors, toolCalls, server, managers, warnings } = await run(api, modelOf, agentOf, {
      window,
      script: taskScript(tasks()),
      overflowAt: forced,
      overflowBy,
      chunkBytes: 7,
    });
    expect([errors, warnings]).toEqual([[], []]);
    expect(texts.map((text) => text.replace(/:.*/, ''))).toEqual(
      Array.from({ length: 12 }, (_, at) => `Done – Task ${at + 1}`),
    );
    expect(toolCalls).toBe(12 * 4);
    const overflowed = forced.length;
    expect(server).toMatchObject({ accepted: 12 * 4, overflowed, invalid: 0, refused: overflowed });
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
