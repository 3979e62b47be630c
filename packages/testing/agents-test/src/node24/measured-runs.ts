import { type ContextFetchOptions, contextFetch } from '@ctx/fetch';
import type { ModelServerOptions } from '@ctx/testing';
import { type MeasuredRun, measuredRun } from '../measured-run.js';
import { agents } from './agents.js';

/**
 * Measures a run of every agent of this package, each against a server of its own.
 * @param managed options of the `contextFetch` that is made for each; without any, requests go out as they are
 */
export async function measuredRuns(
  server: ModelServerOptions = {},
  managed?: ContextFetchOptions,
): Promise<MeasuredRun[]> {
  const runs: MeasuredRun[] = [];
  for (const agent of agents)
    runs.push(await measuredRun(agent, server, managed && { fetch: contextFetch(managed) }));
  return runs;
}
