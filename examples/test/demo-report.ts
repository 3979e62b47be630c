import { join } from 'node:path';
import { packagesIn } from '../../scripts/packages.cjs';
import { main } from '../demo.js';
import { saidBy } from './said-by.js';

/** What the demo prints of a session. */
export async function demo(path: string, ...args: readonly string[]): Promise<string> {
  return (await saidBy(main, [path, ...args], { columns: 200, hasColor: false })).stdout;
}

/** The cells of the rows of the table, without the head. */
export function rowsOf(report: string): string[][] {
  const lines = report.split('\n');
  const start = lines.findIndex((line) => /^strategy +to /.test(line)) + 1;
  const end = lines.indexOf('', start);
  return lines.slice(start, end).map((line) => line.trim().split(/ {2,}/));
}

/** Every strategy that there is a package of, in the order of their names. */
const strategies = packagesIn(join(__dirname, '../..'))
  .map(({ name }) => name)
  .filter((name) => name.startsWith('strategy-'))
  .map((name) => name.slice('strategy-'.length))
  .sort();

/** They remove nothing but what tools returned. */
export const onlyResults = /^(tool-results|file-folding)/;

/** Expects a row for each strategy and size, smaller than the session. */
export function expectSound(report: string): void {
  const rows = rowsOf(report);
  for (const share of ['50 %', '25 %']) {
    const shown = rows.filter(([, to]) => to === share).map(([strategy]) => strategy?.split(' ')[0]);
    expect(shown.sort()).toEqual([...strategies, 'default'].sort());
  }
  const before = Number(/^([\d,]+) tokens became/.exec(report)?.[1]?.replaceAll(',', ''));
  for (const [strategy, , after] of rows) {
    const figure = (cell = '') => Number(cell.replace(/,| \(over\)/g, ''));
    // A session without file reads or repeated results has nothing for these to clear.
    if (onlyResults.test(strategy as string)) expect(figure(after)).toBeLessThanOrEqual(before);
    else expect(figure(after)).toBeLessThan(before);
  }
}
