import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constantsIn, variantsOf, withVariant } from '../benchmarks/constants.js';

const root = join(__dirname, '../..');

test('a constant is a number by itself, a fraction or a field, and not what is computed of others', () => {
  const code = [
    'export const few = 20_000;',
    'export const part = 1 / 8;',
    'export const twice = 2 * few;',
    'export const worth = {',
    '    id: 2,',
    '    question: -0.25,',
    '};',
    'export const last = 3;',
  ].join('\n');
  expect(constantsIn(code).map(({ name, value }) => [name, value])).toEqual([
    ['few', 20_000],
    ['part', 0.125],
    ['worth.id', 2],
    ['worth.question', -0.25],
    ['last', 3],
  ]);
  const [half] = variantsOf('a/b', code, ['half']).filter(({ constant }) => constant === 'part');
  expect(half).toEqual({ file: 'a/b', constant: 'part', value: 0.125, instead: 0.0625 });
  expect(half && withVariant(code, half).split('\n')[1]).toBe('export const part = 0.0625;');
});

test.each(['excerpt/src/weights', 'excerpt/src/pieces/weights', 'relevance/src/weights'])(
  'every constant of %s is found',
  (file) => {
    // As tsc writes it: without types.
    const code = readFileSync(
      join(root, 'packages/strategies', file.replace('src', 'dist').concat('.js')),
      'utf8',
    );
    const written = [...code.matchAll(/^export const (\w+) = ([^;]*);$/gm)];
    const numbers = written.filter(([, , value = '']) => value.startsWith('{') || !/[a-z]/i.test(value));
    expect(numbers.length).toBeGreaterThan(7);
    expect(new Set(constantsIn(code).map(({ name }) => name.replace(/\..*/, '')))).toEqual(
      new Set(numbers.map(([, name]) => name)),
    );
  },
);

test('it measures what a constant of the excerpt and one of the strategy are worth', () => {
  const session = join(root, 'examples/sessions/hand-over.openai.jsonl');
  const args = [session, '--only', 'trailShare,untouchedWeight', '--changes', 'half'];
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(root, 'examples/benchmarks/ablation.ts'), ...args],
    { encoding: 'utf8', env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') } },
  );
  const rows = stdout.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const changed = rows.filter(([, constant]) => constant === 'trailShare' || constant === 'untouchedWeight');
  expect({ status, changed: changed.map((row) => row.slice(1, 4)) }).toEqual({
    status: 0,
    changed: [
      ['untouchedWeight', '2', '1'],
      ['trailShare', '0.04', '0.02'],
    ],
  });
  // A number that took no effect would change nothing.
  for (const [, , , , largest] of changed) expect(Number(largest)).toBeGreaterThan(0);
});
