import { contextFetch } from '@ctx/fetch';
import type { NamedAgent } from './agents.js';
import { type MeasuredRun, measuredRun } from './measured-run.js';
import { compared, peers } from './peers.js';

/** Small enough that the work of all tasks does not fit. Tokens. */
const window = 12_000;
/** A request of the second task, before any of the peers has done anything; it is refused as too long although it fits. */
const overflowAt = [6];

/** What peers do where the window is full, and where the provider says so although it was not, beside ctx: a table in Markdown. */
export async function peersTable(): Promise<string> {
  const rows = [
    '| | finished of 12 | requests | too long | invalid | finished of 12 after one overflow more |',
    '|---|--:|--:|--:|--:|--:|',
  ];
  for (const agent of peers) rows.push(await row(agent, () => globalThis.fetch));
  const managed = () => contextFetch({ config: { contextWindow: window } });
  for (const agent of compared) rows.push(await row(agent, managed));
  return rows.join('\n');
}

async function row(agent: NamedAgent, fetch: () => typeof globalThis.fetch): Promise<string> {
  const alone = await measuredRun(agent, { window }, { fetch: fetch() });
  const told = await measuredRun(agent, { window, overflowAt }, { fetch: fetch() });
  const cells = [
    agent.name,
    finished(alone),
    alone.accepted,
    alone.overflowed,
    alone.invalid,
    finished(told),
  ];
  return `| ${cells.join(' | ')} |`;
}

const finished = ({ finished: tasks, errors }: MeasuredRun) =>
  errors.length > 0 ? `${tasks}, stopped` : String(tasks);
