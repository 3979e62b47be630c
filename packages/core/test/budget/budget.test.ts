import { type Config, settingsFor } from '@ctx/core';
import fc from 'fast-check';
import { budgetOf } from '../../src/budget/budget.js';
import { triggerTokens } from '../../src/budget/trigger.js';

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

test('the target is the configured one, in tokens or as a fraction', () => {
  expect(budget({ target: { tokens: 30_000 } }).targetFor(0)).toBe(30_000);
  expect(budget({ target: { fraction: 0.2 } }).targetFor(0)).toBe(20_000);
});

test('a fraction may have a minimum in tokens, up to half of the window', () => {
  const target = { fraction: 0.2, atLeast: 30_000 };
  expect(budget({ target }).targetFor(0)).toBe(30_000);
  expect(budget({ target, contextWindow: 200_000 }).targetFor(0)).toBe(40_000);
  expect(budget({ target, contextWindow: 32_000 }).targetFor(0)).toBe(16_000);
});

describe('a share of the room', () => {
  const target = { room: 0.5 };

  test('stands on top of what can not leave', () => {
    const { start, targetFor } = budget({ target });
    expect(targetFor(0)).toBe(Math.floor(start / 2));
    expect(targetFor(30_000)).toBe(Math.floor(30_000 + (start - 30_000) / 2));
  });

  test('has a minimum in tokens, up to half of the room', () => {
    const { start, targetFor } = budget({ target: { room: 0.1, atLeast: 20_000 } });
    expect(targetFor(0)).toBe(20_000);
    expect(targetFor(start - 10_000)).toBe(Math.floor(start - 5_000));
  });

  test('leaves some room however much must stay', () => {
    expect(budget({ target }).targetFor(90_000)).toBe(94_000);
  });
});

describe('a request is near enough to a target', () => {
  test('half of the way back to where the trigger starts', () => {
    expect(budget({}).enoughFor(50_000)).toBe(50_000 + (75_000 - 50_000) / 2);
  });

  test('half of the least room above it, if the trigger starts before that', () => {
    expect(budget({}).enoughFor(90_000)).toBe(94_000);
  });

  test('never above the window', () => {
    expect(budget({}).enoughFor(99_000)).toBe(100_000);
  });
});

describe('what must stay is cut only for a window', () => {
  test('without a fifth of the reserve', () => {
    expect(budget({ reserve: 20_000 }).limit).toBe(96_000);
    expect(budget({}).limit).toBe(100_000 - 819);
    expect(budget({ reserve: 0 }).limit).toBe(100_000);
  });

  test('without a tenth of it if the reserve would take more', () => {
    expect(budget({ contextWindow: 1_000 }).limit).toBe(900);
    expect(budget({ contextWindow: 4_096, reserve: 20_000 }).limit).toBe(4_096 - 409);
  });
});

test("without a target it is seven tenths of the trigger's start, if that is less than half", () => {
  expect(budget({ trigger: { tokens: 10_000 } }).targetFor(0)).toBe(7_000);
});

test('a target that is not below the trigger is lowered', () => {
  expect(budget({ trigger: { tokens: 10_000 }, target: { fraction: 0.5 } }).targetFor(0)).toBe(9_500);
});

test('a small window still has a target if the reserve leaves nothing allowed', () => {
  const small = budget({ contextWindow: 4_096 });
  expect(small.allowedTokens).toBe(0);
  expect(small.targetFor(0)).toBe(2_048);
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
    const { targetFor, enoughFor, fittingTokens, ...others } = budget({});
    const made = budget({ profile: 'global', profileThresholds });
    const anyFunction = expect.any(Function);
    expect(made).toEqual({
      ...others,
      targetFor: anyFunction,
      enoughFor: anyFunction,
      fittingTokens: anyFunction,
    });
    expect(made.fittingTokens(true)).toBe(fittingTokens(true));
    for (const tokens of [0, 60_000, 90_000]) {
      expect(made.targetFor(tokens)).toBe(targetFor(tokens));
      expect(made.enoughFor(tokens)).toBe(enoughFor(tokens));
    }
    const unusable = budget({ profile: 'wrong', profileThresholds, trigger: { fraction: 0.29 } });
    expect(unusable.trigger.fraction).toBe(0.29);
    expect(unusable.warning).toContain('; 29 is used');
  });

  test('that starts before the configured warning moves the warning forward', () => {
    const { thresholds } = budget({ profile: 'early', profileThresholds, warn: 0.7 });
    expect(thresholds.warn).toBeLessThanOrEqual(thresholds.compress);
  });
});

test("the target is always below the trigger's start, and the warning is never above it", () => {
  const share = fc.double({ min: 0.01, max: 1, noNaN: true });
  const config = fc.record(
    {
      contextWindow: fc.integer({ min: 100, max: 1_000_000 }),
      reserve: fc.nat(20_000),
      trigger: fc.record(
        { fraction: share, tokens: fc.integer({ min: 10, max: 500_000 }), allowedTokens: fc.boolean() },
        { requiredKeys: ['fraction'] },
      ),
      profile: fc.constant('p'),
      profileThresholds: fc.record({ p: fc.integer({ min: -5, max: 120 }) }),
    },
    { requiredKeys: ['contextWindow', 'trigger'] },
  );
  fc.assert(
    fc.property(config, (one) => {
      const made = budget(one as Config);
      const start =
        triggerTokens(made.trigger, { ...made, fittingTokens: made.fittingTokens(false) }) ??
        made.contextWindow;
      expect(made.targetFor(0)).toBeLessThan(start);
      expect(made.thresholds.warn).toBeLessThanOrEqual(made.thresholds.compress);
    }),
  );
});
