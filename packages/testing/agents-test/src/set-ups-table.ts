import { contextFetch } from '@ctx/fetch';
import { adaptedAgents } from './adapters.js';
import { agents } from './agents.js';
import { measuredRun } from './measured-run.js';
import { newerRuns } from './node24/newer-runs.js';
import { setUpOptions, setUpRow, setUpServer } from './set-ups.js';

/**
 * Every set-up that is tested, and what became of it: a table in Markdown.
 * @throws Error if there is no Node that is new enough for some
 */
export async function setUpsTable(): Promise<string> {
  const rows: string[] = [];
  for (const agent of agents) {
    const fetch = contextFetch({ ...setUpOptions, onWarning: () => {} });
    rows.push(setUpRow(await measuredRun(agent, setUpServer, { fetch }), 'contextFetch'));
  }
  for (const agent of adaptedAgents)
    rows.push(setUpRow(await measuredRun(agent, setUpServer), agent.adapter));
  for (const { adapter, ...run } of newerRuns('set-ups')) rows.push(setUpRow(run, adapter));
  const named = new Map<string, string[]>();
  for (const row of rows) {
    const [, start = '', name = ''] = /^(.*\| )([^|]*) \|$/.exec(row) ?? [];
    named.set(start, [...(named.get(start) ?? []), name]);
  }
  const table = ['| packages | adapter | set-ups |', '|---|---|---|'];
  for (const [start, names] of named) table.push(`${start}${names.join('; ')} |`);
  return table.join('\n');
}
