import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, temporaryFolder, withUsage } from './run-ctx.js';

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

test('system prompt and tools that are not in the file are part of each replayed request', async () => {
  const path = withUsage({ turns: 8 });
  const replayed = async (...more: string[]) =>
    ctx(['replay', path, '--only', 'keep-last', '--json', ...more]);
  const whole = JSON.parse((await ctx(['context', path, '--quick', '--json'])).stdout);
  const { tokens, limit, hidden, replays } = JSON.parse((await replayed()).stdout);
  expect(Math.abs(hidden - 20_000)).toBeLessThan(200);
  expect(Math.abs(tokens - whole.used)).toBeLessThan(200);
  expect(limit).toBeGreaterThan(20_000);
  const [{ tokens: sizes, cost }] = replays;
  expect(Math.min(...sizes)).toBeGreaterThan(20_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
  // Most of each request is the same, whatever is cut.
  expect(cost).toBeGreaterThan(0.8);
  const small = await replayed('--window', '15k');
  expect(small.status).toBe(exitCodes.usage);
  expect(small.stderr).toMatch(/system prompt and the tools.* fill the window/);
  const { stdout } = await ctx(['replay', path, '--only', 'keep-last']);
  expect(stdout).toMatch(/(?:19|20),\d{3} tokens of each request are the system prompt and tools/);
});

test('it says what the session costs in money if the price of its model is known, otherwise in tokens', async () => {
  const path = withUsage({ turns: 8 });
  const of = async (session: string, ...more: string[]) =>
    ctx(['replay', session, '--only', 'keep-last', '--window', session === path ? '22k' : '8k', ...more]);
  const { unit, replays } = JSON.parse((await of(path, '--json')).stdout);
  const [{ cost, spent, withoutCompression }] = replays;
  expect(unit).toBe('dollars');
  expect(spent / withoutCompression).toBeCloseTo(cost, 10);
  // Eight requests, of which the first writes some 20,000 tokens at 3.75 dollars a million, and the others read them.
  expect(withoutCompression).toBeGreaterThan(0.075 + 7 * 0.006);
  expect(withoutCompression).toBeLessThan(0.2);
  expect((await of(path)).stdout).toContain(`$${spent.toFixed(2)}`);
  const unknown = join(temporaryFolder(), 'unknown.jsonl');
  writeFileSync(unknown, readFileSync(didYouMean, 'utf8').replaceAll(/claude-[\w-]+/g, 'some-model'));
  expect(JSON.parse((await of(unknown, '--json')).stdout).unit).toBe('input tokens');
  expect((await of(unknown)).stdout).toContain("the model's price is not known");
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
