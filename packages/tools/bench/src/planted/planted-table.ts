import { percent, type Table, valuesOf } from '../table-cells.js';
import type { FactCount, PlantedResult } from './measure-planted.js';

/** What is left of facts that were said once; no table without results. */
export function plantedTables(results: readonly PlantedResult[]): Table[] {
  const [first] = results;
  if (first === undefined) return [];
  return valuesOf(results, ({ share }) => share).map((share) => ({
    title: `Planted facts: ${first.facts.all} said once each, in ${percent(share)} of the tokens`,
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
      .filter((one) => one.share === share)
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
