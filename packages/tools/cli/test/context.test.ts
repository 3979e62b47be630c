import { stripVTControlCharacters } from 'node:util';
import { ctx, didYouMean, lateCheck, sessionWith, withUsage } from './run-ctx.js';

interface Row {
  readonly kind: string;
  readonly name: string;
  readonly tokens: number;
  readonly messages?: number;
}

async function newReportOf(...args: readonly string[]) {
  const { stdout, status } = await ctx(['context', ...args, '--json']);
  expect(status).toBe(0);
  return JSON.parse(stdout) as {
    readonly used: number;
    readonly window: number;
    readonly reserve: number;
    readonly free: number;
    readonly at: number;
    readonly messages: number;
    readonly compactions: number;
    readonly measuredBy: string;
    readonly isWindowAssumed: boolean;
    readonly rows: readonly Row[];
    readonly largest: readonly {
      readonly number?: number;
      readonly tokens: number;
      readonly label: string;
    }[];
    readonly savings: readonly {
      readonly share: number;
      readonly freed: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly survival?: number;
      readonly measuredOn: string;
    }[];
  };
}

const reports = new Map<string, ReturnType<typeof newReportOf>>();

/** A report of a session that no test writes, of which each takes a second. */
function reportOf(...args: readonly string[]) {
  const key = JSON.stringify(args);
  const report = reports.get(key) ?? newReportOf(...args);
  reports.set(key, report);
  return report;
}

test('the window is the one that the agent noted, unless another model or window is asked for', async () => {
  const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] };
  const records = [
    { type: 'session_meta', payload: { id: 'c', model_provider: 'openai' } },
    { type: 'turn_context', payload: { model: 'gpt-5.4' } },
    { type: 'event_msg', payload: { type: 'task_started', model_context_window: 190_000 } },
    { type: 'response_item', payload: message },
  ];
  const path = sessionWith(records);
  expect(await reportOf(path, '--quick')).toMatchObject({ window: 190_000, isWindowAssumed: false });
  expect((await reportOf(path, '--quick', '--window', '50k')).window).toBe(50_000);
  expect((await reportOf(path, '--quick', '--model', 'gpt-4o')).window).toBe(128_000);
});

const isEmpty = ({ kind }: Row) => kind === 'free' || kind === 'reserve';

test('the rows add up to what is used, and with what is free and kept to the window', async () => {
  const { rows, used, window, reserve, free } = await reportOf(lateCheck, '--quick', '--window', '100k');
  const filled = rows.filter((row) => !isEmpty(row)).reduce((sum, { tokens }) => sum + tokens, 0);
  expect(Math.abs(filled - used)).toBeLessThanOrEqual(rows.length);
  expect(used + free + reserve).toBe(window);
  expect(window).toBe(100_000);
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['system', 'user', 'assistant', 'calls', 'results', 'free', 'reserve']),
  );
});

test('it can be asked for any place of the session', async () => {
  const early = await reportOf(lateCheck, '--at', '20', '--quick');
  const late = await reportOf(lateCheck, '--quick');
  expect([early.at, early.messages, late.messages]).toEqual([20, 20, 104]);
  expect(early.used).toBeLessThan(late.used);
});

test('the largest messages come first, with their number in the session', async () => {
  const { largest } = await reportOf(lateCheck, '--quick');
  expect(largest).toHaveLength(10);
  const tokens = largest.map((one) => one.tokens);
  expect(tokens).toEqual([...tokens].sort((a, b) => b - a));
  const [first] = largest;
  const { rows } = await reportOf(lateCheck, '--quick', '--at', String(first?.number));
  const before = await reportOf(lateCheck, '--quick', '--at', String((first?.number ?? 0) - 1));
  const sum = (list: readonly Row[]) =>
    list.filter((row) => !isEmpty(row) && row.kind !== 'form').reduce((all, row) => all + row.tokens, 0);
  expect(sum(rows) - sum(before.rows)).toBe(first?.tokens);
});

test.each([
  ['a model that counts as we do', 'gpt-5'],
  ['one that counts more', 'claude-opus-4-5'],
])('without usage of the provider the total is that of every other command, for %s', async (_, model) => {
  const { used } = await reportOf(lateCheck, '--quick', '--model', model);
  const { stdout } = await ctx(['compress', lateCheck, '--json', '--model', model]);
  expect(JSON.parse(stdout)).toMatchObject({ tokensBefore: used });
  expect((await ctx(['context', lateCheck, '--quick'])).stdout).toContain('with their roles and marks');
});

test('the usage of the provider tells what the file does not hold, and how the provider counts', async () => {
  const { measuredBy, rows, used } = await reportOf(withUsage({ factor: 1.5 }), '--quick');
  expect(measuredBy).toBe('provider');
  const hidden = rows.find(({ kind }) => kind === 'hidden');
  expect(hidden?.name).toContain('not in the file');
  expect(Math.abs((hidden?.tokens ?? 0) - 20_000)).toBeLessThan(100);
  // The newest report, and the answer to it.
  expect(Math.abs(used - (20_000 + 1.5 * 2 * 1_800))).toBeLessThan(200);
});

test('a session that went through a compressing proxy is as large as its file, and says so', async () => {
  const path = withUsage({ factor: 1.5, behindProxy: true });
  const report = await reportOf(path, '--quick');
  const whole = await reportOf(withUsage({ factor: 1.5 }), '--quick');
  expect(report.measuredBy).toBe('ctx');
  expect(Math.abs(report.used - whole.used)).toBeLessThan(200);
  const { stdout } = await ctx(['context', path, '--quick']);
  expect(stdout).toContain('reported 9,005 for its last request, less than the file holds');
});

test('after a compaction by the agent its summary and what was said since are in the window', async () => {
  const file = withUsage({ factor: 1.5, isCompacted: true });
  const report = await reportOf(file, '--quick');
  expect(report.compactions).toBe(1);
  expect(report.messages).toBe(1 + 4);
  expect(report.rows.find(({ kind }) => kind === 'summaries')?.messages).toBe(1);
  const before = await reportOf(file, '--quick', '--at', '7');
  expect([before.compactions, before.messages]).toEqual([0, 7]);
  // Long before the window of its model was full.
  const { stdout } = await ctx(['context', file, '--quick']);
  expect(stdout).toContain('The agent compacted by itself at 30,000 tokens');
  expect((await ctx(['context', file, '--quick', '--window', '32k'])).stdout).not.toContain('by itself');
});

test('what could go says how much is freed, and what is kept of what followed', async () => {
  const { savings } = await reportOf(lateCheck, '--at', '60');
  expect(savings.map(({ share }) => share)).toEqual([0.5, 0.25, 0.125]);
  for (const { share, freed, tokensBefore, tokensAfter, survival = -1, measuredOn } of savings) {
    expect(freed).toBe(tokensBefore - tokensAfter);
    expect(tokensAfter).toBeLessThanOrEqual(tokensBefore * share);
    expect(measuredOn).toBe('what followed');
    expect(survival).toBeGreaterThan(0.2);
    expect(survival).toBeLessThanOrEqual(1);
  }
  const end = await reportOf(lateCheck);
  expect(end.savings[0]?.measuredOn).toBe('earlier places');
});

test('what could go has the figures of ctx compress', async () => {
  for (const at of [[], ['--at', '60']]) {
    const { savings } = await reportOf(lateCheck, ...at);
    const { stdout } = await ctx(['compress', lateCheck, '--to', '25%', '--json', ...at]);
    const { tokensBefore, tokensAfter } = JSON.parse(stdout);
    expect(savings[1]).toMatchObject({ share: 0.25, tokensBefore, tokensAfter });
  }
});

test('a model that is not known is said to be guessed, and another can be asked for', async () => {
  expect((await reportOf(didYouMean, '--quick', '--model', 'frobnicator-9')).isWindowAssumed).toBe(true);
  const text = await ctx(['context', didYouMean, '--quick', '--model', 'frobnicator-9']);
  expect(text.stdout).toContain('The window of frobnicator-9 is not known: 128,000 tokens are assumed.');
  const known = await reportOf(didYouMean, '--quick', '--model', 'claude-sonnet-4-5');
  expect([known.isWindowAssumed, known.window]).toEqual([false, 200_000]);
});

test('a session that is too small for a compression is shown without one', async () => {
  const { status, stdout } = await ctx(['context', sessionWith([{ role: 'user', content: 'hi' }])]);
  expect(status).toBe(0);
  expect(stdout).not.toContain('What could go');
  expect(stdout).toContain('The largest message');
});

test.each([80, 120])('at %i columns no line is longer', async (columns) => {
  for (const hasColor of [false, true]) {
    const { stdout } = await ctx(['context', didYouMean, '--quick'], { columns, hasColor });
    const lines = stripVTControlCharacters(stdout).split('\n');
    // Sentences wrap by themselves.
    const shown = lines.filter((line) => !/^[A-Z\d].*\.$/.test(line));
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

test('without colours there is no escape sequence, and the bar can be read by its letters', async () => {
  const { stdout } = await ctx(['context', lateCheck, '--quick', '--window', '60k']);
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/^s*u*a+c+t+f*\.+_+$/m);
  const colored = await ctx(['context', lateCheck, '--quick', '--window', '60k'], { hasColor: true });
  expect(colored.stdout).toContain('\u001b[');
  expect(stripVTControlCharacters(colored.stdout)).toBe(stdout);
  const refused = await ctx(['context', lateCheck, '--quick', '--no-color'], { hasColor: true });
  expect(refused.stdout).not.toContain('\u001b');
});
