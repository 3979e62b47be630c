import { assistant, call, managerOf, user, words } from '@ctx/testing';
import fc from 'fast-check';
import { restored } from '../restored.js';

const contextWindow = 100_000;
const plain = { overhead: { message: 0, conversation: 0 }, throttleMs: 0, contextWindow };

function conversation(tokens: number, config = {}) {
  const manager = managerOf([], { minMessagesToKeep: 4, config: { ...plain, ...config } });
  let at = 0;
  const say = (size: number) => {
    at += 1;
    manager.append(at % 2 === 0 ? assistant(words(size)) : user(words(size)));
  };
  say(tokens);
  return {
    manager,
    say,
    report(inputTokens: number) {
      manager.view();
      return manager.reportUsage({ inputTokens });
    },
    get counted() {
      return manager.stats().countedTokens;
    },
    get measured() {
      return manager.stats().currentTokens;
    },
  };
}

test('usage without the cached tokens is not believed, and a warning says what is missing', () => {
  const one = conversation(20_000);
  for (let turn = 0; turn < 20; turn += 1) {
    one.say(4_000);
    expect(one.report(4 + turn * 60)).toEqual({ used: false, reason: 'implausible' });
    expect(one.measured).toBe(one.counted);
  }
  expect(one.manager.willCompress()).toBe(true);
  expect(one.manager.warnings.join()).toMatch(/Cached input tokens are probably missing/);
  for (let turn = 0; turn < 2; turn += 1) expect(one.report(one.counted)).toMatchObject({ used: false });
  expect(one.report(one.counted)).toEqual({ used: true });
  expect(one.manager.warnings.join()).not.toMatch(/Cached/);
});

test('what such usage taught while it still seemed possible is forgotten', () => {
  const one = conversation(9_000);
  expect(one.report(3_500)).toEqual({ used: true });
  for (let turn = 0; turn < 5; turn += 1) {
    one.say(4_000);
    one.report(50);
  }
  expect(one.measured).toBe(one.counted);
});

test.each([1e160, Number.MAX_VALUE, 400_000])('an absurd report of %p changes nothing', (absurd) => {
  const one = conversation(10_000);
  one.report(12_000);
  for (let turn = 0; turn < 10; turn += 1) expect(one.report(absurd)).toMatchObject({ used: false });
  one.say(1_000);
  expect(one.measured).toBeGreaterThan(12_000);
  expect(one.measured).toBeLessThan(14_000);
  expect(one.manager.warnings.join()).toMatch(/too many/);
});

test('a prompt unknown to the manager is learned once three reports agree on it', () => {
  const one = conversation(50);
  const told: unknown[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    one.say(300);
    told.push(one.report(45_000 + Math.round(1.2 * one.counted)));
  }
  expect(told.slice(0, 2)).toEqual([
    { used: false, reason: 'outlier' },
    { used: false, reason: 'outlier' },
  ]);
  expect(told[3]).toEqual({ used: true });
  one.say(1_000);
  const truth = 45_000 + 1.2 * one.counted;
  expect(Math.abs(one.measured - truth) / truth).toBeLessThan(0.02);
});

test('reports that contradict one another teach nothing, and a warning says so', () => {
  const one = conversation(30_000);
  for (const factor of [1.9, 0.5, 1.4, 2.4, 0.7, 1.8, 0.4]) {
    one.say(10);
    one.report(Math.round(factor * one.counted));
  }
  expect(one.measured).toBe(one.counted);
  expect(one.manager.stats().quality).toBe('exact');
  expect(one.manager.warnings.join()).toMatch(/contradict one another/);
});

/** Anything a host might report, most of it roughly the size of a request. */
const anyReport = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 200_000 }) },
  fc.double({ min: 1e-9, max: 1e160, noNaN: true }),
);

test('whatever is reported, the measure stays within its bounds, and five honest reports correct it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2_000, max: 40_000 }),
      fc.array(fc.tuple(anyReport, fc.integer({ min: 1, max: 800 })), { maxLength: 40 }),
      fc.double({ min: 0.7, max: 1.6, noNaN: true }),
      fc.integer({ min: 0, max: 4_000 }),
      (start, reports, factor, offset) => {
        const one = conversation(start);
        for (const [inputTokens, more] of reports) {
          one.report(inputTokens);
          one.say(more);
          expect(one.measured).toBeGreaterThanOrEqual(Math.floor(one.counted / 3));
          expect(one.measured).toBeLessThanOrEqual(3 * one.counted + contextWindow);
        }
        const truth = () => offset + factor * one.counted;
        for (let honest = 0; honest < 5; honest += 1) {
          one.report(Math.round(truth()));
          one.say(Math.ceil(one.counted / 100));
        }
        expect(Math.abs(one.measured - truth()) / truth()).toBeLessThan(0.03);
      },
    ),
    { numRuns: 100 },
  );
});

test('a snapshot keeps the last report, from which the figure starts', () => {
  const one = conversation(10_000);
  for (const inputTokens of [13_000, 14_100]) {
    one.say(1_000);
    expect(one.report(inputTokens)).toEqual({ used: true });
  }
  expect(restored(one.manager, { config: plain }).stats().currentTokens).toBe(14_100);
});

test('a snapshot keeps both what was learned and what is doubted', () => {
  const one = conversation(10_000);
  for (const inputTokens of [13_000, 13_000, 3_400, 29_000]) one.report(inputTokens);
  const other = restored(one.manager, { config: plain });
  expect(other.stats().currentTokens).toBe(13_000);
  for (const manager of [one.manager, other]) {
    for (let turn = 0; turn < 3; turn += 1) {
      manager.append(user('a'));
      manager.view();
      manager.reportUsage({ inputTokens: 20_000 });
    }
  }
  expect(other.stats().currentTokens).toBe(one.manager.stats().currentTokens);
});

describe('the quality of the measure', () => {
  const prior = { offset: 2_000, factor: 1.24, perToolCall: 66 };

  test('is estimated with only a prior, and calibrated after a report', () => {
    const one = conversation(1, { prior });
    expect(one.manager.stats()).toMatchObject({
      countedTokens: 1,
      currentTokens: 2_001,
      quality: 'estimated',
    });
    one.report(1_700);
    expect(one.manager.stats()).toMatchObject({ currentTokens: 1_700, quality: 'calibrated' });
  });

  test('is estimated with tokens for tools only if there are some', () => {
    const withTools = { ...prior, offset: 0, factor: 1, perToolCall: 0, withTools: 2_000 };
    const one = conversation(100, { prior: withTools });
    expect(one.manager.stats()).toMatchObject({ currentTokens: 100, quality: 'exact' });
    one.manager.setTools([]);
    expect(one.manager.stats().currentTokens).toBe(101);
    one.manager.setTools([{ name: 'read' }]);
    expect(one.manager.stats()).toMatchObject({ currentTokens: 101 + 350 + 1, quality: 'estimated' });
    one.manager.setTools([{ name: words(3_000) }]);
    expect(one.manager.stats()).toMatchObject({ currentTokens: 100 + 3_000 + 2_000 });
    const other = restored(one.manager, { config: { ...plain, prior: withTools } });
    expect(other.stats().currentTokens).toBe(5_100);
    one.manager.setTools(undefined);
    one.manager.append(call('a', 'read', {}));
    expect(one.manager.stats().currentTokens).toBe(2_000 + one.manager.stats().countedTokens);
  });

  test('keeps what was learned when tools come', () => {
    const one = conversation(1_000, { prior: { ...prior, withTools: 5_000 } });
    one.report(3_000);
    one.manager.setTools([{ name: 'read' }]);
    expect(one.manager.stats().currentTokens).toBeLessThan(3_100);
  });
});
