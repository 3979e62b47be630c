import { compact, messagesOf, type Row } from '@ctx/claude-code';
import { deepFreeze } from '@ctx/testing';
import { answers, calls, pairsIn, says, thinks, user } from './rows.js';

const now = Date.parse('2026-11-26T12:00:00Z');
const file = (name: string, lines = 120) =>
  Array.from(
    { length: lines },
    (_, line) => `export const ${name}_${line} = mix(${line * 7}, 'amber ${name} basin');`,
  ).join('\n');
/** A turn that reads files one by one. */
const reading = (names: readonly string[]): Row[] =>
  names.flatMap((name) => [
    thinks(),
    says(`I read ${name}.`),
    calls(`call-${name}`, 'Read', { file_path: `/repo/${name}.js` }),
    answers(`call-${name}`, file(name)),
  ]);
const names = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `mod${from + at}`);
const finished = [
  user('Task: raise the revision of each module.'),
  ...reading(names(1, 12)),
  says('All are raised.'),
  user('Now write the notes.'),
];

test('most of a long conversation leaves, every call has its answer, and the user speaks first', async () => {
  const { rows = [], report } = await compact(deepFreeze(finished), { usage: undefined, now });
  expect(report.tokensAfter).toBeLessThan(report.tokensBefore / 2);
  const pairs = pairsIn(rows);
  expect(pairs.answers).toEqual(pairs.calls);
  expect(rows[0]?.role).toBe('user');
  expect(rows.some(({ text }) => text.includes('Now write the notes.'))).toBe(true);
});

test('the request comes down to half of the threshold at most, as the provider counts', async () => {
  const messages = 60_000;
  const usage = { threshold: 60_000, tokens: 58_000, messages };
  const { report } = await compact(finished, { usage, now });
  expect(report.tokensBefore).toBeLessThanOrEqual(messages + 1);
  const fixed = usage.tokens - report.tokensBefore;
  expect(fixed + report.tokensAfter).toBeLessThanOrEqual(usage.threshold / 2);
});

test('where tools and system prompt alone take half of the threshold, a quarter of the rest is for the conversation', async () => {
  const usage = { threshold: 76_000, tokens: 76_000, messages: 36_000 };
  const { report } = await compact(finished, { usage, now });
  const room = usage.threshold - (usage.tokens - report.tokensBefore);
  expect(report.tokensAfter).toBeLessThanOrEqual(room / 4);
  expect(report.tokensAfter).toBeGreaterThan(room / 5);
});

test('a cut that would save less than a fifth is left to Claude Code', async () => {
  const { rows, report } = await compact([user('Hello.'), says('Hello, what shall we do?')], {
    usage: undefined,
    now,
  });
  expect(rows).toBeUndefined();
  expect(report.did.length).toBeGreaterThan(0);
});

test('in the middle of a turn, what stays of it is by handle', async () => {
  const running = [user('Task: read all.'), ...reading(names(1, 12))];
  const { rows = [] } = await compact(running, { usage: undefined, now });
  const asked = rows.findLastIndex(({ role, toolResults }) => role === 'user' && toolResults === undefined);
  const turn = rows.slice(asked + 1).filter(({ role }) => role === 'assistant');
  expect(turn.length).toBeGreaterThan(0);
  expect(turn.every(({ handle }) => handle !== undefined)).toBe(true);
  expect(turn[0]?.text).toBe('');
});

test('the focus weighs what it names, and is not sent itself', async () => {
  const options = { usage: { threshold: 20_000, tokens: 40_000, messages: 25_000 }, now };
  const focus = 'keep what mod2.js exports';
  const shown = async (given: { focus?: string }) => {
    const { rows = [] } = await compact(finished, { ...options, ...given });
    return JSON.stringify(rows);
  };
  const mentions = (text: string) => text.split('mod2_').length;
  const [plain, focused] = [await shown({}), await shown({ focus })];
  expect(mentions(focused)).toBeGreaterThan(mentions(plain));
  expect(focused).not.toContain(focus);
});

test('of a very long session only what is sent is compacted, because the host does not wait', async () => {
  const all = [user('The first.'), says('x '.repeat(900_000)), ...finished];
  const given = { usage: undefined, now };
  const { rows } = await compact(all, { ...given, sent: finished });
  expect(rows).toEqual((await compact(finished, given)).rows);
});

/** The time of each strategy is over at once, for so many of them. */
const slow = (strategies: number) => {
  let met = 0;
  const given: number[] = [];
  const wait = (ms: number, then: () => void) => {
    met += 1;
    given.push(ms);
    if (met <= strategies) then();
    return () => {};
  };
  return { wait, given };
};
const longBefore = [user('The first.'), ...reading(names(13, 24)), says('All are read.'), ...finished];

test('if the originals take too long, what is sent is compacted', async () => {
  const { wait, given } = slow(3);
  const { rows, report } = await compact(longBefore, { usage: undefined, now, sent: finished, wait });
  expect(given.length).toBeGreaterThan(3);
  expect(rows).toEqual((await compact(finished, { usage: undefined, now })).rows);
  expect(report.failed).toBeUndefined();
});

test('all attempts end before the host stops waiting', async () => {
  const { wait, given } = slow(Number.POSITIVE_INFINITY);
  let left = 9_500;
  const spent = (ms: number, then: () => void) => {
    left -= ms;
    return wait(ms, then);
  };
  const relevance = { usage: undefined, now, left: () => left, wait: spent };
  await compact(longBefore, { ...relevance, sent: finished });
  expect(Math.max(...given)).toBeLessThan(9_500 / 2);
  left = 9_500;
  given.length = 0;
  await compact(finished, relevance);
  expect(Math.max(...given)).toBeGreaterThan(9_500 / 2);
  expect(Math.max(...given)).toBeLessThan(9_500 - 1_000);
});

test('without time for a second attempt, or if that fails too, the report says what failed', async () => {
  const attempts = async (given: { left?: () => number }) => {
    const { wait, given: times } = slow(Number.POSITIVE_INFINITY);
    const { report } = await compact(longBefore, { usage: undefined, now, sent: finished, wait, ...given });
    expect(report.failed).toContain('longer than');
    return times.length;
  };
  const one = await attempts({ left: () => 2_500 });
  expect(await attempts({})).toBeGreaterThan(one);
});

test('with handles, shortened texts name the message that recall finds', async () => {
  const long = [
    user('Build it.'),
    says('I build it.'),
    calls('build', 'Bash', { command: 'make' }),
    answers('build', file('log', 2_000)),
    says('It is built.'),
    user('And what does it say?'),
  ];
  const { rows = [] } = await compact(long, { usage: undefined, now, handles: true });
  const named = [...JSON.stringify(rows).matchAll(/#m(\d+)/g)].map(([, number]) => Number(number));
  expect(named.length).toBeGreaterThan(0);
  expect(Math.max(...named)).toBeLessThanOrEqual(messagesOf(long).messages.length);
});
