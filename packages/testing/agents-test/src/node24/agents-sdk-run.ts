import { contextFetch } from '@ctx/fetch';
import type { ModelServerOptions } from '@ctx/servers';
import { MemorySession } from '@openai/agents';
import { named } from '../agents.js';
import { type MeasuredRun, measuredRun } from '../measured-run.js';
import { setUpOptions } from '../set-ups.js';
import { agentsSdkAgent } from './openai-agents.js';

/** How an agent of the Agents SDK is run. */
export interface AgentsSdkOrder {
  readonly server?: ModelServerOptions;
  readonly streamed?: boolean;
  readonly session?: boolean;
  /** With `contextFetch`. */
  readonly managed?: boolean;
}

/** Also with the items that the run or its session holds in the end. */
export type AgentsSdkRun = MeasuredRun & { readonly items: readonly object[] };

export async function agentsSdkRun({
  server,
  streamed = false,
  session = false,
  managed = false,
}: AgentsSdkOrder): Promise<AgentsSdkRun> {
  let items: readonly object[] = [];
  const agent = named('openai agents', 'responses', async (where) => {
    const run = await agentsSdkAgent({
      ...where,
      streamed,
      ...(session && { session: new MemorySession() }),
      ...(managed && { fetch: contextFetch({ ...setUpOptions, onWarning: () => {} }) }),
    });
    items = run.items;
    return run;
  });
  return { ...(await measuredRun(agent, server)), items };
}
