import { readFileSync } from 'node:fs';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, lateCheck } from './run-ctx.js';

test('strategies are replayed side by side, those that miss least first', async () => {
  const only = 'relevance,keep-last,sliding-window';
  const { status, stdout } = await ctx(['replay', didYouMean, '--window', '8k', '--only', only]);
  expect(status).toBe(exitCodes.done);
  const rows = stdout.split('\n').filter((line) => /^(relevance|keep-last|sliding-window) /.test(line));
  const missing = rows.map((row) => Number(/ ([\d.]+) %/.exec(row)?.[1]));
  expect(missing).toEqual([...missing].sort((a, b) => a - b));
  expect(rows).toHaveLength(3);
  const { replays, limit } = JSON.parse(
    (await ctx(['replay', didYouMean, '--window', '8k', '--only', 'relevance', '--json'])).stdout,
  );
  expect(limit).toBe(8_000);
  expect(replays).toHaveLength(1);
  expect(replays[0]).toMatchObject({ candidate: 'relevance', limit: 8_000, overflows: 0 });
});

test('work that nobody watches says now and then how far it is', async () => {
  let now = 0;
  const { stderr } = await ctx(['replay', didYouMean, '--window', '8k', '--only', 'keep-last'], {
    now: () => {
      now += 4_000;
      return now;
    },
  });
  const shares = [...stderr.matchAll(/^replaying keep-last: (\d+) %$/gm)].map(([, share]) => Number(share));
  expect(shares.length).toBeGreaterThan(3);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
});

test('passages are found by what they say, word for word and within the tokens asked for', async () => {
  const { status, stdout } = await ctx([
    'recall',
    lateCheck,
    'checkAndCompress',
    'trigger',
    '--max-tokens',
    '600',
    '--json',
  ]);
  expect(status).toBe(exitCodes.done);
  const found = JSON.parse(stdout) as { ref: string; text: string; tokens: number }[];
  expect(found.length).toBeGreaterThan(0);
  expect(found.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(600);
  const source = readFileSync(lateCheck, 'utf8');
  const [first] = found;
  const line = first?.text.split('\n').find((one) => one.trim().length > 20) ?? 'nothing';
  expect(source).toContain(JSON.stringify(line).slice(1, -1));
  const again = await ctx(['recall', lateCheck, first?.ref ?? '']);
  expect(again.stdout).toContain(line);
});

test('without a path the first word belongs to the query', async () => {
  const { stderr } = await ctx(['recall', 'retry', 'limit']);
  expect(stderr).toContain('session-missing');
});

test('nothing found is no failure, but it is said', async () => {
  const { status, stdout, stderr } = await ctx(['recall', didYouMean, 'zzqxjv']);
  expect([status, stdout]).toEqual([exitCodes.done, '']);
  expect(stderr).toContain('"zzqxjv"');
});
