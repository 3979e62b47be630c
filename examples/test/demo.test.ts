import { dirname, join } from 'node:path';
import { bundled } from '../demo.js';
import { demo, expectSound, onlyResults, rowsOf } from './demo-report.js';

let ofBundled: string;
beforeAll(async () => {
  ofBundled = await demo(bundled, '--all');
});

test('the bundled session is compressed by each strategy to half and to a quarter', () => {
  expectSound(ofBundled);
  const over = rowsOf(ofBundled).filter((row) => row.join().includes('(over)'));
  expect(over.every(([strategy = '']) => onlyResults.test(strategy))).toBe(true);
});

/** Much shorter. */
const short = join(dirname(bundled), '../../sessions/did-you-mean.anthropic.jsonl');

test('the six that keep most of what was used next are shown for each size, the best first', async () => {
  const ofShort = await demo(short, '--all');
  const rows = rowsOf(await demo(short));
  expect(rows.map(([, to]) => to)).toEqual([...Array(6).fill('50 %'), ...Array(6).fill('25 %')]);
  for (const share of ['50 %', '25 %']) {
    const within = (table: readonly string[][]) =>
      table.filter(([, to, tokens]) => to === share && tokens?.includes('(over)') === false);
    const figures = within(rows).map(([, , , usedNext = '']) => Number.parseInt(usedNext, 10));
    expect(figures).toEqual([...figures].sort((a, b) => b - a));
    const all = within(rowsOf(ofShort)).map(([, , , usedNext = '']) => Number.parseInt(usedNext, 10));
    expect(figures).toEqual(all.slice(0, 6));
  }
});

test('it begins with what happened in words', () => {
  expect(ofBundled.split('\n')[0]).toMatch(
    /^[\d,]+ tokens became [\d,]+ with the default pipeline; of what the agent used next, \d+ % is there\.$/,
  );
});
