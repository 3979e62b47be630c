import { percent, type Table, valuesOf } from '../table-cells.js';
import type { FactCount, PlantedResult } from './measure-planted.js';

const names = { repeating: 'noise that repeats', varied: 'noise of many forms' };

/** What is left of facts that were said once; no table without results. */
export function plantedTables(results: readonly PlantedResult[]): Table[] {
  const [first] = results;
  if (first === undefined) return [];
  const parts = valuesOf(results, ({ set }) => set).flatMap((set) =>
    valuesOf(results, ({ share }) => share).map((share) => ({ set, share })),
  );
  return parts.map(({ set, share }) => ({
    title: `Planted facts in ${names[set]}: ${first.facts.all} said once each, in ${percent(share)} of the tokens`,
    columns: [
      'candidate',
      'tokens left',
      'facts',
      'by a tool',
      'by the assistant',
      'by the user',
      'in plain words',
    ],
    rows: results
      .filter((one) => one.set === set && one.share === share)
      .map((one) => [
        one.candidate,
        percent(one.left),
        one.facts.kept,
        of(one.byTool),
        of(one.byAssistant),
        of(one.byUser),
        of(one.plain),
      ]),
  }));
}

const of = ({ kept, all }: FactCount) => `${kept} of ${all}`;
