import { type Table, tokensText } from '../table-cells.js';
import type { CycleResult } from './measure-cycles.js';

/** What many compressions of one conversation leave; no table without results. */
export function cycleTables(results: readonly CycleResult[]): Table[] {
  const [first] = results;
  if (first === undefined) return [];
  return [
    {
      title: `One conversation, compressed again and again under ${tokensText(first.limit)} tokens`,
      columns: [
        'candidate',
        'compressions',
        'freed by the first ten',
        'freed by the last ten',
        'last over first',
        `of ${first.rules} rules said once`,
        `of ${first.facts} facts said once`,
      ],
      rows: results.map((one) => [
        one.candidate,
        one.compressions,
        Math.round(one.firstFreed),
        Math.round(one.lastFreed),
        one.firstFreed <= 0 ? '–' : (one.lastFreed / one.firstFreed).toFixed(2),
        one.rulesKept,
        one.factsKept,
      ]),
    },
  ];
}
