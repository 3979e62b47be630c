import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invariantNames } from '@ctx/core';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const block = (name: string, text = readme) =>
  new RegExp(`<!-- ${name}:start -->\n([\\s\\S]*?)\n<!-- ${name}:end -->`).exec(text)?.[1] ?? '';

test('the first example of the documentation is the file that runs, with the output it has', () => {
  const code = read('examples/readme.ts').trim();
  const run = ['--import', import.meta.resolve('tsx'), join(root, 'examples/readme.ts')];
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') };
  const output = execFileSync(process.execPath, run, { cwd: root, encoding: 'utf8', env }).trim();
  expect(block('example', read('docs/getting-started.md'))).toBe(
    `\`\`\`ts\n${code}\n\`\`\`\n\nprints\n\n\`\`\`\n${output}\n\`\`\``,
  );
});

test('the README has a line for each SDK, which is checked in the README of @ctx/fetch, and a link to its agent', () => {
  const rows = readme.split('\n').filter((line) => line.includes('](examples/agents/'));
  const lines = rows.flatMap((row) => row.match(/`new [^`]+`|`create[^`]+`/g) ?? []);
  const checked = read('packages/adapters/fetch/README.md').replaceAll("model: 'gpt-5', ", '');
  expect(lines.length).toBe(4);
  for (const line of lines)
    if (line.includes('contextFetch')) expect(checked).toContain(`${line.slice(1, -1)};`);
  for (const agent of readdirSync(join(root, 'examples/agents')))
    expect(rows.join()).toContain(`examples/agents/${agent})`);
});

test('the page of guarantees names every one', () => {
  for (const name of invariantNames) expect(read('docs/guarantees.md')).toContain(`\`${name}\``);
});

test('the picture of the README shows the points of the exam, largest first', () => {
  expect(readme).toContain('<img src="docs/images/exam.svg"');
  const drawing = read('docs/images/exam.svg');
  const lengths = [...drawing.matchAll(/<rect class="bar[^"]*"[^>]* width="([\d.]+)"/g)].map(([, px]) =>
    Number(px),
  );
  const { rows } = JSON.parse(read('examples/benchmarks/results/exam.json')) as {
    rows: readonly { readonly budget?: number; readonly points: { mean: number; error: number } }[];
  };
  const shown = rows.filter(({ budget }) => budget === 16_000);
  expect(lengths.length).toBe(shown.length);
  for (const { points } of shown)
    expect(drawing).toContain(`>${points.mean.toFixed(1)} ± ${points.error.toFixed(1)}<`);
  expect(lengths).toEqual([...lengths].sort((one, other) => other - one));
});
