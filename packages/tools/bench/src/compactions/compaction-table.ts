import { averaged } from '../averages.js';
import { type Table, tokensText, withError } from '../table-cells.js';
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
        const cells = (pick: (one: CompactionResult) => number) => {
          const more = averaged(
            rows,
            (one) => pick(one) - pick(summaryAt.get(placeOf(one)) as CompactionResult),
          );
          const sign = (more?.mean ?? 0) > 0 ? '+' : '';
          return [withError(averaged(rows, pick)), holder === own ? '–' : `${sign}${withError(more)}`];
        };
        return [
          holder,
          tokensText(averaged(rows, ({ tokens }) => tokens)?.mean ?? 0),
          ...cells(({ strict }) => strict),
          ...cells(({ relative }) => relative),
        ];
      }),
    },
  ];
}

function placeOf({ source, session, number }: CompactionResult): string {
  return JSON.stringify([source, session, number]);
}
