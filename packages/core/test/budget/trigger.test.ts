import type { Settings } from '@ctx/core';
import { allowedTokens, effectiveThreshold } from '@ctx/core';
import { firedBy } from '@ctx/core/kit';
import fc from 'fast-check';
import { fittingTokens, type Measure, triggerTokens } from '../../src/budget/trigger.js';

type Trigger = Settings['trigger'];

const measure = (tokens: number, fields: Partial<Measure> = {}): Measure => ({
  tokens,
  contextWindow: 1_000,
  allowedTokens: 800,
  ...fields,
});

test.each([
  [200_000, 175_904],
  [128_000, 111_104],
  [8_192, 3_276],
  [4_096, 0],
  [1, 0],
])('of a window of %i tokens, %i are allowed', (contextWindow, allowed) => {
  expect(allowedTokens(contextWindow)).toBe(allowed);
});

describe('the threshold of a profile', () => {
  test.each<[string, string | undefined, number, number]>([
    ['is its own', 'fast', 60, 60],
    ['is its own at the lower bound', 'fast', 5, 5],
    ['is its own at the upper bound', 'fast', 100, 100],
    ['is the global one at -1', 'fast', -1, 80],
    ['is the global one below 5', 'fast', 4.9, 80],
    ['is the global one at 0', 'fast', 0, 80],
    ['is the global one above 100', 'fast', 101, 80],
    ['is the global one for another negative number', 'fast', -2, 80],
    ['is the global one if it is not a number', 'fast', Number.NaN, 80],
    ['is the global one for another profile', 'slow', 60, 80],
    ['is the global one without a profile', undefined, 60, 80],
  ])('%s', (_title, profile, own, percent) => {
    const threshold = effectiveThreshold(80, profile, { fast: own });
    expect(threshold.percent).toBe(percent);
    const unusable = profile === 'fast' && own !== -1 && percent !== own;
    expect(threshold.warning !== undefined).toBe(unusable);
  });

  test('is not read from inherited object properties', () => {
    for (const profile of ['constructor', '__proto__', 'toString'])
      expect(effectiveThreshold(80, profile, {})).toEqual({ percent: 80 });
  });
});

describe('a trigger fires', () => {
  const small = { fittingTokens: 900 };
  test.each<[string, Trigger, number, boolean, Partial<Measure>?]>([
    ['at its fraction of the window', { fraction: 0.75 }, 750, true],
    ['not below its fraction', { fraction: 0.75 }, 749, false],
    ['at its tokens', { tokens: 500 }, 500, true],
    ['not below its tokens', { tokens: 500 }, 499, false],
    ['above the allowance', { allowedTokens: true }, 801, true],
    ['not at the allowance', { allowedTokens: true }, 800, false],
    ['not by an allowance that is switched off', { allowedTokens: false }, 999, false],
    ['by the earliest of its keys', { fraction: 0.9, tokens: 100 }, 100, true],
    ['not without a condition', {}, 999, false],
    ['above what surely fits', { window: true }, 901, true, small],
    ['not at what surely fits', { window: true }, 900, false, small],
    ['not by a window that is switched off', { window: false, tokens: 2_000 }, 999, false, small],
    ['not within the window if nothing else is known', { window: true }, 1_000, false],
    ['by what was overpaid', { cost: true }, 1, true, { overpaid: 1 }],
    ['not by less than that', { cost: true }, 1, false, { overpaid: 0.9 }],
    ['not if nothing was overpaid', { cost: true }, 1, false],
    ['not by a cost that is switched off', { cost: false, tokens: 5 }, 1, false, { overpaid: 2 }],
  ])('%s', (_title, trigger, tokens, fires, fields = {}) => {
    expect(firedBy(trigger, measure(tokens, fields)) !== undefined).toBe(fires);
  });

  test('but not for an allowance of zero, or it would never rest', () => {
    expect(firedBy({ allowedTokens: true }, measure(999, { allowedTokens: 0 }))).toBeUndefined();
  });
});

test('a trigger fires exactly from its fewest tokens on', () => {
  const trigger = fc.record(
    {
      fraction: fc.double({ min: 0.01, max: 1, noNaN: true }),
      tokens: fc.integer({ min: 1, max: 1_200 }),
      allowedTokens: fc.boolean(),
      window: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(trigger, fc.nat(1_500), fc.constantFrom(0, 800), (given, tokens, allowedTokens) => {
      const limits = { allowedTokens, fittingTokens: 900 };
      const least = triggerTokens(given, measure(0, limits)) ?? Number.POSITIVE_INFINITY;
      expect(firedBy(given, measure(tokens, limits)) !== undefined).toBe(tokens >= least);
    }),
  );
});

test('a request and its answer fit the window with room for what the count may be off', () => {
  expect(fittingTokens(100_000, { reserve: 20_000, isEstimated: false })).toBe(77_600);
  expect(fittingTokens(100_000, { reserve: 20_000, isEstimated: true })).toBe(72_000);
  expect(fittingTokens(100_000, { isEstimated: false })).toBe(93_026);
  expect(fittingTokens(1_000, { isEstimated: false })).toBe(0);
});
