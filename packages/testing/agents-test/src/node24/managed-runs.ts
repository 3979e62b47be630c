import { type ContextManager, partsOf } from '@ctx/core';
import { contextFetch } from '@ctx/fetch';
import type { ModelServerOptions } from '@ctx/servers';
import { MemorySession } from '@openai/agents';
import { type NamedAgent, named } from '../agents.js';
import { type MeasuredRun, measuredRun } from '../measured-run.js';
import { setUpOptions, setUpServer } from '../set-ups.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  openAiChatModel,
  openAiResponsesModel,
  wrapped,
} from './ai-sdk.js';
import { agentsSdkAgent } from './openai-agents.js';

/** What became of a run with an adapter, and what ctx holds of it. */
export interface ManagedRun extends MeasuredRun {
  readonly warnings: readonly string[];
  /** Of each conversation. */
  readonly transcripts: readonly {
    readonly users: number;
    readonly calls: readonly string[];
    readonly results: readonly string[];
  }[];
}

type Watched = Pick<
  Required<NonNullable<Parameters<typeof contextFetch>[0]>>,
  'config' | 'onManager' | 'onWarning'
>;

async function managedRun(
  agentWith: (options: Watched) => NamedAgent,
  server: ModelServerOptions | undefined,
): Promise<ManagedRun> {
  /** By the key of the conversation; a refusal that teaches the window makes another manager of it. */
  const managers = new Map<string, ContextManager>();
  const warnings: string[] = [];
  const agent = agentWith({
    ...setUpOptions,
    onManager: (manager, key) => managers.set(key, manager),
    onWarning: ({ code }) => warnings.push(code),
  });
  const run = await measuredRun(agent, server);
  return { ...run, warnings, transcripts: [...managers.values()].map(transcriptOf) };
}

function transcriptOf({ transcript }: ContextManager) {
  const parts = transcript.flatMap(({ message }) => [...partsOf(message)]);
  return {
    users: transcript.filter(({ message }) => message.role === 'user').length,
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
    results: parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
  };
}

const models = { chat: openAiChatModel, responses: openAiResponsesModel, messages: anthropicModel };
const ways = { generated: aiSdkGenerate, streamed: aiSdkStream };

/** Every agent of AI SDK 7 with its model wrapped, each against a server of its own. */
export async function middlewareRuns(server: ModelServerOptions = setUpServer): Promise<ManagedRun[]> {
  const runs: ManagedRun[] = [];
  for (const [api, model] of Object.entries(models))
    for (const [way, agentOf] of Object.entries(ways)) {
      const agentWith = (options: Watched) =>
        named(`${api}, ${way}`, api as keyof typeof models, agentOf(wrapped(model, options)));
      runs.push(await managedRun(agentWith, server));
    }
  return runs;
}

/** How an agent of the Agents SDK is run. */
export interface AgentsSdkOrder {
  readonly server?: ModelServerOptions;
  readonly streamed?: boolean;
  readonly session?: boolean;
  /** With `contextFetch`. */
  readonly managed?: boolean;
}

/** Also with the items that the run or its session holds in the end. */
export type AgentsSdkRun = ManagedRun & { readonly items: readonly object[] };

export async function agentsSdkRun({
  server,
  streamed = false,
  session = false,
  managed = false,
}: AgentsSdkOrder): Promise<AgentsSdkRun> {
  let items: readonly object[] = [];
  const agentWith = (options: Watched) =>
    named('openai agents', 'responses', async (where) => {
      const run = await agentsSdkAgent({
        ...where,
        streamed,
        ...(session && { session: new MemorySession() }),
        ...(managed && { fetch: contextFetch(options) }),
      });
      items = run.items;
      return run;
    });
  return { ...(await managedRun(agentWith, server)), items };
}
