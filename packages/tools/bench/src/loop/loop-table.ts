import { grouped } from '../averages.js';
import type { Candidate } from '../candidates/candidate.js';
import { type Cell, type Column, type Table, tableOf, valuesOf } from '../table.js';
import type { AgentRun } from './agent-run.js';
import type { LoopResult } from './measure-loop.js';

/** What an agent does more often than it should; added up over the scenarios. */
const slips = ['readsAgain', 'blindEdits', 'doneAgain', 'rulesBroken', 'questions'] as const;

/** A candidate in the windows of one size, over all scenarios. */
export interface LoopSummary extends Pick<AgentRun, (typeof slips)[number]> {
  readonly candidate: string;
  readonly kind: Candidate['kind'];
  /** The window as a share of what the session needs. */
  readonly share: number;
  readonly scenarios: number;
  /** The number of scenarios in which the agent came to its end. */
  readonly ended: number;
  /** Requests relative to the same agent without a limit; a mean. Where the agent gave up, those until then. */
  readonly requests: number;
  /** Relative to the same agent without a limit; means. */
  readonly tokens: number;
  readonly cost: number;
  /** Requests in which the task, a rule, or a line of a file of rules was missing, each counted by itself. */
  readonly lacking: number;
}

/** Averages over the scenarios, for each candidate and size of window. */
export function loopSummary(results: readonly LoopResult[]): LoopSummary[] {
  const limited = results.filter(({ share }) => share !== undefined);
  return [...grouped(limited, ({ holder, share }) => `${holder} ${share}`).values()].map((of) => {
    const [{ holder, kind, share = 1 }] = of;
    const sum = (pick: (one: LoopResult) => number) => of.reduce((total, one) => total + pick(one), 0);
    const mean = (pick: (one: LoopResult) => number) => sum(pick) / of.length;
    return {
      candidate: holder,
      kind,
      share,
      scenarios: of.length,
      ended: of.filter(({ end }) => end === 'done').length,
      requests: mean((one) => one.requests / one.control.requests),
      ...(Object.fromEntries(slips.map((slip) => [slip, sum((one) => one[slip])])) as Pick<
        LoopSummary,
        (typeof slips)[number]
      >),
      lacking: sum(lackingIn),
      tokens: mean((one) => one.tokens / one.control.tokens),
      cost: mean((one) => one.cost / one.control.cost),
    };
  });
}

function lackingIn({ lacks }: AgentRun): number {
  return lacks.task + lacks.rules + lacks.rulesFile;
}

/** What becomes of scripted agents, over all scenarios. Empty without results. */
export function loopTables(results: readonly LoopResult[]): Table[] {
  const rows = loopSummary(results);
  return rows.length === 0 ? [] : [overviewTable(rows)];
}

/** Such as `1/3`. */
const shareName = (share: number) => (share > 1 ? 'generous' : `1/${Math.round(1 / share)}`);

function overviewTable(rows: readonly LoopSummary[]): Table {
  const shares = valuesOf(rows, ({ share }) => share);
  const cell = (row: LoopSummary | undefined): Cell => {
    if (row === undefined) return '–';
    return row.ended === row.scenarios ? row.requests.toFixed(2) : `${row.ended} of ${row.scenarios} end`;
  };
  type Own = readonly [candidate: string, rows: readonly LoopSummary[]];
  const sum = (head: string, name: (typeof slips)[number] | 'lacking'): Column<Own> => {
    return [head, ([, own]) => own.reduce((total, row) => total + row[name], 0)];
  };
  const title = 'In the loop: requests relative to the same agent without a limit, by window';
  return tableOf(
    title,
    [...grouped(rows, ({ candidate }) => candidate)],
    [
      ['candidate', ([candidate]) => candidate],
      ...shares.map((share): Column<Own> => {
        return [shareName(share), ([, own]) => cell(own.find((row) => row.share === share))];
      }),
      sum('blind edits', 'blindEdits'),
      sum('done again', 'doneAgain'),
      sum('rules broken', 'rulesBroken'),
      sum('questions', 'questions'),
      sum('without task or rules', 'lacking'),
    ],
  );
}
