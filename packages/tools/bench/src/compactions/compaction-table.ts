import { type Average, averageOf } from '../averages.js';
import type { Table } from '../table-cells.js';
import { type CompactionResult, compactionHolders } from './compare-compactions.js';

const [own] = compactionHolders;

/** What each holds of what the agent uses next, and how much more that is than its own summary holds at the same compactions. */
export function compactionTables(results: readonly CompactionResult[]): Table[] {
  const ours = results.filter(({ holder }) => holder === own);
  if (ours.length === 0) return [];
  const summaryAt = new Map(ours.map((one) => [placeOf(one), one]));
  const needed = ours.reduce((sum, one) => sum + one.needed, 0);
  return [
    {
      title: `What is left after a compaction: ${ours.length} compactions by agents, ${needed} atoms used next`,
      columns: ['held by', 'tokens', 'as used', 'more', 'paths relative too', 'more'],
      rows: compactionHolders.map((holder) => {
        const rows = results.filter((one) => one.holder === holder);
        const mean = (pick: (one: CompactionResult) => number) =>
          averageOf(rows.map((one) => ({ source: one.source, session: one.session, value: pick(one) })));
        const more = (pick: (one: CompactionResult) => number) =>
          holder === own
            ? '–'
            : signed(mean((one) => pick(one) - pick(summaryAt.get(placeOf(one)) as CompactionResult)));
        return [
          holder,
          Math.round(mean(({ tokens }) => tokens)?.mean ?? 0).toLocaleString('en-US'),
          withError(mean(({ strict }) => strict)),
          more(({ strict }) => strict),
          withError(mean(({ relative }) => relative)),
          more(({ relative }) => relative),
        ];
      }),
    },
  ];
}

function placeOf({ source, session, number }: CompactionResult): string {
  return JSON.stringify([source, session, number]);
}

function withError(average: Average | undefined): string {
  return average === undefined ? '–' : `${average.mean.toFixed(1)} ± ${average.error.toFixed(1)}`;
}

function signed(average: Average | undefined): string {
  const sign = (average?.mean ?? 0) > 0 ? '+' : '';
  return `${sign}${withError(average)}`;
}
