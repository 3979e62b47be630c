import { contextInputFilter, contextProvider } from '@ctx/openai-agents';
import type { ModelServerOptions } from '@ctx/testing';
import { MemorySession } from '@openai/agents';
import { startServerFor } from '../agents.js';
import { agentsSdkAgent } from './openai-agents.js';
import type { AgentReport } from './run-agents.js';

/** What one run did, as JSON. */
export interface AgentsSdkReport extends Omit<AgentReport, 'agent'> {
  /** The items that the run or its session holds in the end. */
  readonly items: readonly object[];
  /** Characters of each request. */
  readonly sent: readonly number[];
  readonly warnings: readonly string[];
  readonly conversations: number;
}

/** What the parent process asks for. */
export interface AgentsSdkOrder {
  readonly server?: ModelServerOptions;
  readonly streamed?: boolean;
  readonly session?: boolean;
  readonly use?: readonly ('filter' | 'provider')[];
}

const order = JSON.parse(process.argv[2] ?? '{}') as AgentsSdkOrder;
const { server: serverOptions = {}, streamed = false, session = false, use = [] } = order;
const warnings: string[] = [];
let conversations = 0;
const options = {
  config: { contextWindow: 12_000 },
  onWarning: ({ code }: { code: string }) => warnings.push(code),
  onManager: () => {
    conversations += 1;
  },
};
const server = await startServerFor({ provider: 'openai' }, serverOptions);
const run = await agentsSdkAgent({
  baseURL: server.url,
  streamed,
  ...(session && { session: new MemorySession() }),
  ...(use.includes('filter') && { filter: contextInputFilter(options) }),
  ...(use.includes('provider') && { wrap: (provider) => contextProvider(provider, options) }),
});
const { accepted, refused, overflowed, invalid, problems, requests } = server;
await server.close();
const report: AgentsSdkReport = {
  ...run,
  errors: run.errors.map(String),
  ...{ accepted, refused, overflowed, invalid, problems, warnings, conversations },
  sent: requests.map(({ raw }) => raw.length),
};
process.stdout.write(JSON.stringify(report));
