import { agents, type NamedAgent, startServerFor, taskScript, tasks, wireForms } from '@ctx/agents-test';
import { memoryArchive } from '@ctx/archive';
import { memoryStateStore } from '@ctx/conversation';
import { contextFetch } from '@ctx/fetch';
import type { ModelServer, Script } from '@ctx/servers';
import { named } from '../src/agents.js';
import { aiSdk6 } from '../src/ai-sdk.js';
import { throughProxy } from './kit.js';

const { aiSdkGenerate, aiSdkStream, anthropicModel, openAiChatModel, wrapped } = aiSdk6;

type Send = typeof globalThis.fetch;

/** A file that a tool reads has 60 lines of some 25 tokens; what the other tool finds is smaller. */
const config = { contextWindow: 200_000, arrivals: { over: 1_000, to: 400 } };
/** Of 48 requests. From here on the process is another one. */
const restartAt = 21;
const all = tasks();
const warnings: string[] = [];
const onWarning = ({ code }: { readonly code: string }) => void warnings.push(code);

/** Runs an agent to its end against a strict server. The server can't know what an excerpt must say. */
async function serverAfter(agent: NamedAgent, fetch?: Send): Promise<ModelServer> {
  warnings.length = 0;
  const script: Script = (seen) =>
    taskScript(all)({ ...seen, tools: seen.tools.filter((name) => name !== 'recall') });
  const server = await startServerFor(agent, { script, resultOf: undefined });
  const run = await agent.run({ baseURL: server.url, tasks: all, ...(fetch && { fetch }) });
  await server.close();
  expect([run.errors, warnings, server.problems]).toEqual([[], [], []]);
  expect(run.texts.map((text) => text.replace(/:.*/, ''))).toEqual(
    all.map((_, at) => `Done – Task ${at + 1}`),
  );
  return server;
}

/** Each request begins with all of the one before, and no file is in any of them as a whole. */
function expectExcerpts({ requests }: ModelServer): void {
  // An agent marks other messages for the cache each time.
  const plain = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value);
  const sent = requests.map(({ json }) =>
    JSON.stringify(json?.messages ?? json?.input ?? json?.contents, plain),
  );
  expect(sent).toHaveLength(48);
  // A message at the end may have got more parts.
  for (const [at, messages] of sent.entries())
    expect(messages.startsWith((sent[at - 1] ?? '').replace(/[\]}]+$/, ''))).toBe(true);
  const last = sent.at(-1) as string;
  expect(last.match(/Excerpt of a result of 1,\d+ tokens in 60 lines/g)?.length).toBeGreaterThanOrEqual(12);
  expect(last).not.toContain(', 30);');
}

const chosen = [
  ...wireForms.filter(({ name }) => name.endsWith('streamed')),
  ...agents.filter(({ name }) => ['ollama', 'ai sdk, bedrock'].includes(name)),
];

test.each(chosen)('$name gets the same excerpts in every request, also after a restart', async (agent) => {
  const options = { archive: memoryArchive(), states: memoryStateStore(), config, onWarning };
  let [current, number] = [contextFetch(options), 0];
  const server = await serverAfter(agent, (input, init) => {
    number += 1;
    if (number === restartAt) current = contextFetch(options);
    return current(input, init);
  });
  expectExcerpts(server);
});

const arriving = { archive: memoryArchive, config, onWarning };

test.each([
  ['generated', 'chat', aiSdkGenerate(wrapped(openAiChatModel, arriving))],
  ['streamed', 'messages', aiSdkStream(wrapped(anthropicModel, arriving))],
] as const)('the middleware of the AI SDK does so too, %s', async (way, api, run) => {
  expectExcerpts(await serverAfter(named(`ai sdk, ${way}`, api, run)));
});

test('so does the proxy', async () => {
  const agent = agents.find(({ name }) => name === 'anthropic, streamed') as NamedAgent;
  const server = await serverAfter(agent, throughProxy({ recall: true, config, onWarning }));
  expectExcerpts(server);
});
