import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, sessionWith, temporaryFolder, withUsage } from './run-ctx.js';

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

/** A file of Claude Code whose answers report the given usage, each with its model. */
function reporting(reports: readonly (readonly [model: string, usage: object])[]): string {
  const words = (at: number) => Array.from({ length: 300 }, (_, index) => `word${at}${index}`).join(' ');
  return sessionWith(
    reports.flatMap(([model, usage], at) => [
      { sessionId: 's', type: 'user', uuid: `u${at}`, message: { role: 'user', content: words(at) } },
      {
        ...{ sessionId: 's', type: 'assistant', uuid: `a${at}` },
        message: { id: `m${at}`, role: 'assistant', model, content: [{ type: 'text', text: 'ok' }], usage },
      },
    ]),
  );
}

test('what the session itself cost is added up from its reports, each at the prices of its model', async () => {
  const hour = { ephemeral_1h_input_tokens: 2_000, ephemeral_5m_input_tokens: 1_000 };
  const usage = {
    input_tokens: 100,
    cache_read_input_tokens: 10_000,
    cache_creation_input_tokens: 3_000,
    cache_creation: hour,
  };
  const of = async (...models: string[]) => {
    const path = reporting(models.map((model) => [model, usage]));
    const args = ['replay', path, '--only', 'keep-last'];
    const [json, text] = [await ctx([...args, '--json']), await ctx(args)];
    return { ...JSON.parse(json.stdout), text: text.stdout };
  };
  // 100 at 1, 10,000 at 0.1, 1,000 at 1.25 and 2,000 at 2, by 5 and by 1 dollar a million.
  const each = 100 + 1_000 + 1_250 + 4_000;
  const { reported, text } = await of('claude-opus-5', 'claude-haiku-4-5', 'claude-haiku-4-5');
  expect(reported.unit).toBe('dollars');
  expect(reported.amount).toBeCloseTo((each * (5 + 1 + 1)) / 1_000_000, 10);
  expect(text).toContain('the input of the session itself cost $0.04:');
  expect(text).toContain(
    'at the prices of claude-opus-5 and claude-haiku-4-5, each request at that of its model;',
  );
  const unknown = await of('claude-opus-5', 'claude-some', 'claude-opus-5');
  expect(unknown.reported).toEqual({ amount: 3 * each, unit: 'input tokens' });
  expect(unknown.text).toContain('of the session itself cost 19,050 tokens at the full input price:');
  const { reported: none, replays } = JSON.parse(
    (await ctx(['replay', didYouMean, '--window', '8k', '--only', 'keep-last', '--json'])).stdout,
  );
  expect([none, replays.length]).toEqual([undefined, 1]);
});

test('a replay prices each request by the model that it was sent to, whose cache has nothing of what another read', async () => {
  const of = async (...models: string[]) => {
    const usageAt = (at: number) => ({ input_tokens: 0, cache_creation_input_tokens: 1_600 + 800 * at });
    const path = reporting(models.map((model, at) => [model, usageAt(at)]));
    const args = ['replay', path, '--only', 'keep-last', '--window', '3k'];
    const { unit, replays, models: named } = JSON.parse((await ctx([...args, '--json'])).stdout);
    const { stdout: text } = await ctx(args);
    return { unit, whole: replays[0].withoutCompression, named, text };
  };
  const [opus, haiku] = ['claude-opus-5', 'claude-haiku-4-5'];
  const [dear, cheap, mixed] = [
    await of(opus, opus, opus, opus),
    await of(haiku, haiku, haiku, haiku),
    await of(opus, haiku, haiku, opus),
  ];
  expect([dear.named, cheap.named, mixed.named]).toEqual([[opus], [haiku], [opus, haiku]]);
  expect(dear.whole / cheap.whole).toBeCloseTo(5, 1);
  expect(dear.text).toContain('at the price of claude-opus-5;');
  expect(mixed.text).toContain('at the prices of claude-opus-5 and claude-haiku-4-5, each request');
  expect(mixed.unit).toBe('dollars');
  // In parts of what each message costs to be written: 1.1 + 2.2 by Haiku; by Opus 1, and then one read and three written.
  const one = dear.whole / (1 + 1.08 + 1.16 + 1.24);
  expect(mixed.whole / one).toBeGreaterThan(1 + 0.2 * (2 + 1.16) + 3.08 - 0.15);
  expect(mixed.whole / one).toBeLessThan(1 + 0.2 * (2 + 1.16) + 3.08 + 0.15);
  const unknown = await of(opus, 'claude-some', opus);
  expect(unknown.unit).toBe('input tokens');
  expect(unknown.text).toContain('in tokens at the full input price');
});

test('the system prompt is learned where most was reported, not behind a compaction', async () => {
  const path = withUsage({ turns: 6, isCompacted: true });
  const args = ['replay', path, '--only', 'keep-last', '--window', '21k', '--json'];
  const { hidden } = JSON.parse((await ctx(args)).stdout);
  expect(Math.abs(hidden - 20_000)).toBeLessThan(200);
});
