import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constantsIn } from '../benchmarks/constants.js';

const root = join(__dirname, '../..');

test.each(['excerpt/src/weights', 'relevance/src/weights'])('every constant of %s is found', (file) => {
  // As tsc writes it: without types.
  const built = file.replace('src', 'dist').concat('.js');
  const code = readFileSync(join(root, 'packages/strategies', built), 'utf8');
  const written = [...code.matchAll(/^export const (\w+) = ([^;]*);$/gm)];
  const numbers = written.filter(([, , value = '']) => value.startsWith('{') || !/[a-z]/i.test(value));
  expect(numbers.length).toBeGreaterThan(4);
  expect(new Set(constantsIn(code).map(({ name }) => name.replace(/\..*/, '')))).toEqual(
    new Set(numbers.map(([, name]) => name)),
  );
});

test('it measures what a constant of the excerpt and one of the strategy are worth', () => {
  const session = join(root, 'examples/sessions/hand-over.openai.jsonl');
  const args = [session, '--only', 'partShare,agentBonus', '--changes', 'half'];
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(root, 'examples/benchmarks/ablation.ts'), ...args],
    { encoding: 'utf8', env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') } },
  );
  const rows = stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const changed = rows.filter(([, constant]) => constant === 'partShare' || constant === 'agentBonus');
  expect({ status, changed: changed.map((row) => row.slice(1, 4)) }).toEqual({
    status: 0,
    changed: [
      ['agentBonus', '2', '1'],
      ['partShare', '0.2', '0.1'],
    ],
  });
  // A number that took no effect would change nothing.
  for (const [, , , , largest] of changed) expect(Number(largest)).toBeGreaterThan(0);
});
