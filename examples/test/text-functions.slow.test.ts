import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { repeatedPatterns } from './text-patterns.js';

const root = join(__dirname, '../..');

/** Ms. No more than what tells a hang from work: quadratic time would take hours. */
const hangs = 540_000;

test('every function that takes a text comes to an end on texts of one repeated pattern', () => {
  expect(repeatedPatterns.length).toBeGreaterThanOrEqual(20);
  const run = spawnSync(
    process.execPath,
    ['--import', require.resolve('tsx'), join(__dirname, 'text-functions-run.ts')],
    {
      encoding: 'utf8',
      timeout: hangs,
      maxBuffer: 1e8,
      env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    },
  );
  const last = run.stdout.trimEnd().split('\n').at(-1);
  expect({ status: run.status, said: run.stderr, last }).toEqual({ status: 0, said: '', last: 'done' });
}, 600_000);
