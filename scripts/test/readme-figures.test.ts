import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error A script without types.
import { examTable, speedTable } from '../readme-figures.mjs';
// @ts-expect-error A script without types.
import { csvFiles, resultTables } from '../results-figures.mjs';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const recorded = (name: string) => JSON.parse(read(`examples/benchmarks/results/${name}.json`));
const [results, exam, speed] = ['compare', 'exam', 'speed'].map(recorded);

const block = (path: string, name: string) =>
  new RegExp(`<!-- ${name}:start -->\n([\\s\\S]*?)\n<!-- ${name}:end -->`).exec(read(path))?.[1];

test.each<[path: string, name: string, written: string]>([
  ['README.md', 'exam', examTable(exam)],
  ['docs/results.md', 'tables', resultTables(results)],
  ['docs/speed.md', 'speed', speedTable(speed)],
])('the figures of %s are those that were recorded', (path, name, written) => {
  expect(written).toMatch(/\d/);
  expect(block(path, name)).toBe(written);
});

test('so are those of the files beside docs/results.md, and each file is named there', () => {
  const files: Record<string, string> = csvFiles(results, exam, speed);
  for (const [name, text] of Object.entries(files)) expect(read(`docs/results/${name}`)).toBe(text);
  const page = read('docs/results.md');
  for (const name of readdirSync(join(root, 'docs/results'))) expect(page).toContain(`results/${name}`);
});
