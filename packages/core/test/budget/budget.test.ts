import { CompressionLevel, type Config, settingsFor } from '@ctx/core';
import { budgetOf, levelOf } from '../../src/budget/budget.js';

const budget = (config: Config) => budgetOf(settingsFor({}, { contextWindow: 100_000, ...config }));

test('by default, compression starts at three quarters and goes down to half', () => {
  expect(budget({})).toMatchObject({
    contextWindow: 100_000,
    allowedTokens: 85_904,
    start: 75_000,
    thresholds: { compress: 0.75 },
    warning: undefined,
  });
  for (const staying of [0, 40_000, 200_000]) expect(budget({}).targetFor(staying)).toBe(50_000);
  expect(budget({}).thresholds.warn).toBeCloseTo(0.65);
});

const floor = { fraction: 0.2, atLeast: 30_000 };
const room = { room: 0.1, atLeast: 20_000 };
test.each<[what: string, config: Config, staying: number, target: number]>([
  ['the configured number of tokens', { target: { tokens: 30_000 } }, 0, 30_000],
  ['the configured share', { target: { fraction: 0.2 } }, 0, 20_000],
  ['the minimum of a share', { target: floor }, 0, 30_000],
  ['the share, if that is more', { target: floor, contextWindow: 200_000 }, 0, 40_000],
  ['half of the window, if the minimum is more', { target: floor, contextWindow: 32_000 }, 0, 16_000],
  ['a share of the room', { target: { room: 0.5 } }, 0, 37_500],
  ['a share of the room on top of what can not leave', { target: { room: 0.5 } }, 30_000, 52_500],
  ['the minimum of a share of the room', { target: room }, 0, 20_000],
  ['half of the room, if the minimum is more', { target: room }, 65_000, 70_000],
  ['above what must stay, however much that is', { target: { room: 0.5 } }, 90_000, 94_000],
  ["seven tenths of the trigger's start, if that is little", { trigger: { tokens: 10_000 } }, 0, 7_000],
  ['below the trigger', { trigger: { tokens: 10_000 }, target: { fraction: 0.5 } }, 0, 9_500],
  ['half of a window in which the reserve leaves nothing', { contextWindow: 4_096 }, 0, 2_048],
])('the target is %s', (_what, config, staying, target) => {
  expect(budget(config).targetFor(staying)).toBe(target);
});

test.each([
  ['half of the way back to where the trigger starts', 50_000, 62_500],
  ['half of the least room above it, if the trigger starts before that', 90_000, 94_000],
  ['never above the window', 99_000, 100_000],
])('a request is near enough to a target %s', (_what, target, enough) => {
  expect(budget({}).enoughFor(target)).toBe(enough);
});

test.each<[what: string, config: Config, limit: number]>([
  ['a fifth of the reserve', { reserve: 20_000 }, 96_000],
  ['a fifth of the usual reserve', {}, 100_000 - 819],
  ['nothing, if nothing is reserved', { reserve: 0 }, 100_000],
  ['a tenth of a small window', { contextWindow: 1_000 }, 900],
  ['a tenth of a window with a large reserve', { contextWindow: 4_096, reserve: 20_000 }, 4_096 - 409],
])('what must stay is cut only for a window without %s', (_what, config, limit) => {
  expect(budget(config).limit).toBe(limit);
});

test('if only cost triggers, levels start at nine tenths of the window', () => {
  const { thresholds } = budget({ trigger: { cost: true } });
  expect(thresholds.compress).toBe(0.9);
  expect(thresholds.warn).toBeCloseTo(0.8, 10);
});

test('levels start where compression does, and the warning keeps its distance before it', () => {
  const trigger = { fraction: 0.92, allowedTokens: true };
  const { thresholds } = budget({ trigger, warn: 0.85, reserve: 20_000 });
  expect(thresholds.compress).toBeCloseTo(0.7);
  expect(thresholds.warn).toBeCloseTo(0.63);
  expect(budget({ trigger, warn: 0.6, reserve: 20_000 }).thresholds.warn).toBe(0.6);
});

describe("a profile's threshold", () => {
  const profileThresholds = { early: 40, global: -1, wrong: 400 };

  test('replaces the fraction', () => {
    const { trigger, targetFor, thresholds } = budget({ profile: 'early', profileThresholds });
    expect(trigger).toEqual({ fraction: 0.4, allowedTokens: true });
    expect(targetFor(0)).toBe(28_000);
    expect(thresholds.compress).toBe(0.4);
  });

  test('comes to a trigger that has no fraction', () => {
    const trigger = { tokens: 90_000 };
    const ofEarly = budget({ profile: 'early', profileThresholds, trigger }).trigger;
    expect(ofEarly).toEqual({ tokens: 90_000, fraction: 0.4 });
    expect(budget({ profile: 'global', profileThresholds, trigger }).trigger).toEqual(trigger);
  });

  test('leaves the fraction if it says so, or if it is invalid, with a warning', () => {
    const { trigger, start, warning } = budget({ profile: 'global', profileThresholds });
    expect({ trigger, start, warning }).toEqual({ trigger: budget({}).trigger, start: 75_000 });
    const unusable = budget({ profile: 'wrong', profileThresholds, trigger: { fraction: 0.29 } });
    expect(unusable.trigger.fraction).toBe(0.29);
    expect(unusable.warning).toContain('; 29 is used');
  });

  test('that starts before the configured warning moves the warning forward', () => {
    const { thresholds } = budget({ profile: 'early', profileThresholds, warn: 0.7 });
    expect(thresholds.warn).toBeLessThanOrEqual(thresholds.compress);
  });
});

const { NONE, WARNING, SOFT, HARD, EMERGENCY } = CompressionLevel;
const cipher = { warn: 0.8, compress: 0.9 };

test.each([
  [799, NONE],
  [800, WARNING],
  [899, WARNING],
  [900, SOFT],
  [949, SOFT],
  [950, HARD],
  [999, HARD],
  [1_000, EMERGENCY],
])('a level starts exactly at its share: %i of 1000 tokens are level %i', (tokens, level) => {
  expect(levelOf(tokens, 1_000, cipher)).toBe(level);
});

test('there is no SOFT if compression starts at 0.95', () => {
  const late = { warn: 0.9, compress: 0.95 };
  const reached = new Set(Array.from({ length: 1_200 }, (_, tokens) => levelOf(tokens, 1_000, late)));
  expect([...reached]).toEqual([NONE, WARNING, HARD, EMERGENCY]);
});
