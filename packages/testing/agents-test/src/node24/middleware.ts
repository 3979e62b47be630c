import { contextMiddleware } from '@ctx/ai-sdk';
import { type ContextManager, partsOf } from '@ctx/core';
import type { ModelServerOptions } from '@ctx/testing';
import { wrapLanguageModel } from 'ai-7';
import type { NamedAgent } from '../agents.js';
import { newestTask } from '../newest-task.js';
import {
  aiSdkGenerate,
  aiSdkStream,
  anthropicModel,
  type ModelOf,
  openAiChatModel,
  openAiResponsesModel,
} from './ai-sdk.js';
import { type AgentReport, runAgents } from './run-agents.js';

/** What an agent did whose model is wrapped in `contextMiddleware()`, and what ctx holds of it. */
export interface ManagedReport extends AgentReport {
  readonly warnings: readonly string[];
  /** Of each conversation. */
  readonly transcripts: readonly {
    readonly users: number;
    readonly calls: readonly string[];
    readonly results: readonly string[];
  }[];
}

const models = [
  { api: 'chat', provider: 'openai', modelOf: openAiChatModel },
  { api: 'responses', provider: 'openai', modelOf: openAiResponsesModel },
  { api: 'messages', provider: 'anthropic', modelOf: anthropicModel },
] as const;
const ways = { generated: aiSdkGenerate, streamed: aiSdkStream };

/** Runs every agent of AI SDK 7 with its model wrapped, each against a server of its own. */
export async function runManaged({
  window = 12_000,
  ...server
}: ModelServerOptions): Promise<ManagedReport[]> {
  const reports: ManagedReport[] = [];
  for (const { api, provider, modelOf } of models) {
    for (const [way, agentOf] of Object.entries(ways)) {
      /** By the key of the conversation; a refusal that teaches the window makes another manager of it. */
      const managers = new Map<string, ContextManager>();
      const warnings: string[] = [];
      const middleware = contextMiddleware({
        config: { contextWindow: window },
        onManager: (manager, key) => managers.set(key, manager),
        onWarning: ({ code }) => warnings.push(code),
      });
      const wrapped: ModelOf = (where) =>
        wrapLanguageModel({ model: modelOf(where) as Wrappable, middleware });
      const agent: NamedAgent = { name: `${api}, ${way}`, provider, api, run: agentOf(wrapped) };
      const [report] = await runAgents({ window, ...server, script: newestTask }, undefined, [agent]);
      if (report !== undefined)
        reports.push({ ...report, warnings, transcripts: [...managers.values()].map(transcriptOf) });
    }
  }
  return reports;
}

type Wrappable = Parameters<typeof wrapLanguageModel>[0]['model'];

function transcriptOf({ transcript }: ContextManager) {
  const parts = transcript.flatMap(({ message }) => [...partsOf(message)]);
  return {
    users: transcript.filter(({ message }) => message.role === 'user').length,
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
    results: parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])),
  };
}
