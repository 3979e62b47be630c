import type { ModelServerOptions } from '@ctx/testing';
import type { AgentOptions } from '../agent.js';
import { type NamedAgent, startServerFor } from '../agents.js';
import { agents } from './agents.js';

/** What one agent did, as JSON. */
export interface AgentReport {
  readonly agent: string;
  readonly texts: readonly string[];
  readonly errors: readonly string[];
  readonly toolCalls: number;
  readonly accepted: number;
  readonly refused: number;
  readonly overflowed: number;
  readonly invalid: number;
  readonly problems: readonly string[];
}

/**
 * Runs agents, each against a server of its own.
 * @param options of the agents, such as a `fetch` made for each
 * @param these default: every agent of this package
 */
export async function runAgents(
  server: ModelServerOptions = {},
  options: () => Omit<AgentOptions, 'baseURL'> = () => ({}),
  these: readonly NamedAgent[] = agents,
): Promise<AgentReport[]> {
  const reports: AgentReport[] = [];
  for (const agent of these) {
    const model = await startServerFor(agent, server);
    const { texts, errors, toolCalls } = await agent.run({ baseURL: model.url, ...options() });
    await model.close();
    const { accepted, refused, overflowed, invalid, problems } = model;
    reports.push({
      agent: agent.name,
      texts,
      errors: errors.map(String),
      toolCalls,
      accepted,
      refused,
      overflowed,
      invalid,
      problems,
    });
  }
  return reports;
}
