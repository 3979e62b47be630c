import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { contextFetch } from '@ctx/fetch';
import { adaptedAgents } from './adapters.js';
import { agents } from './agents.js';
import { type MeasuredRun, measuredRun } from './measured-run.js';
import { newNode } from './node24/node-binary.js';
import { setUpOptions, setUpRow, setUpServer } from './set-ups.js';

/** A run with the adapter that it was made with. */
export type AdaptedRun = MeasuredRun & { readonly adapter: string };

/**
 * Every set-up that is tested, and what became of it: a table in Markdown.
 * @throws Error if there is no Node that is new enough for some
 */
export async function setUpsTable(): Promise<string> {
  const rows = [
    '| set-up | versions | adapter | tasks of 12 | requests | invalid | too large |',
    '|---|---|---|--:|--:|--:|--:|',
  ];
  for (const agent of agents) {
    const fetch = contextFetch({ ...setUpOptions, onWarning: () => {} });
    rows.push(setUpRow(await measuredRun(agent, setUpServer, { fetch }), 'contextFetch'));
  }
  for (const agent of adaptedAgents)
    rows.push(setUpRow(await measuredRun(agent, setUpServer), agent.adapter));
  for (const { adapter, ...run } of newerRuns()) rows.push(setUpRow(run, adapter));
  return rows.join('\n');
}

/** The set-ups that need a newer Node, in a process of their own. */
export function newerRuns(): AdaptedRun[] {
  const main = fileURLToPath(new URL('../dist/node24/main-set-ups.js', import.meta.url));
  return JSON.parse(execFileSync(String(newNode()), [main], { encoding: 'utf8' })) as AdaptedRun[];
}
