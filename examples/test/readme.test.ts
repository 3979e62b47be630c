import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { invariantNames } from '@ctx/core';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const block = (name: string) =>
  new RegExp(`<!-- ${name}:start -->\n([\\s\\S]*?)\n<!-- ${name}:end -->`).exec(readme)?.[1] ?? '';

test('the first example of the README is the file that runs, with the output it has', () => {
  const code = read('examples/readme.ts').trim();
  const run = ['--import', import.meta.resolve('tsx'), join(root, 'examples/readme.ts')];
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') };
  const output = execFileSync(process.execPath, run, { cwd: root, encoding: 'utf8', env }).trim();
  expect(block('example')).toBe(`\`\`\`ts\n${code}\n\`\`\`\n\nprints\n\n\`\`\`\n${output}\n\`\`\``);
});

test('the README names every guarantee', () => {
  for (const name of invariantNames) expect(readme).toContain(`\`${name}\``);
});

test('figures in the README are those of the last benchmark', () => {
  expect(block('speed')).toBe(read('examples/benchmarks/results/speed.md').trim());
  expect(block('demo')).toMatch(/npm run demo -- .+\.jsonl/);
});
