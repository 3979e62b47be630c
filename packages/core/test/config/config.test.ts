import { type Config, defineConfig, parseConfig, settingsFor } from '@ctx/core';
import { deepFreeze } from '@ctx/testing';
import { thrownBy } from '../thrown-by.js';

const refusal = (config: unknown) => thrownBy(() => parseConfig(deepFreeze(config)));

describe('a configuration is refused, with its place and a remedy, if', () => {
  test.each<[string, unknown, string, string?]>([
    ['a key is unknown', { trigerr: {} }, 'trigerr', 'Did you mean "trigger"?'],
    ['a key in the trigger is unknown', { trigger: { fracton: 0.5 } }, 'trigger.fracton', '"fraction"'],
    ['a key in a rule is unknown', { rules: [{}, { modell: 'x' }] }, 'rules[1].modell', '"model"'],
    [
      'a rule has a key of the top level',
      { rules: [{ timeoutMs: 1 }] },
      'rules[0].timeoutMs',
      'Did you mean',
    ],
    ['a key is like no other', { zzzzzzzz: 1 }, 'zzzzzzzz', 'The keys are enabled, contextWindow, reserve'],
    ['the window is 0', { contextWindow: 0 }, 'contextWindow'],
    ['the window is a fraction', { contextWindow: 8192.5 }, 'contextWindow'],
    ['the window is a text', { contextWindow: '8192' }, 'contextWindow'],
    ['a threshold is 0', { trigger: { fraction: 0 } }, 'trigger.fraction'],
    ['a threshold is 2', { trigger: { fraction: 2 } }, 'trigger.fraction', 'for 2 % write 0.02.'],
    ['a threshold is not a number', { trigger: { fraction: Number.NaN } }, 'trigger.fraction'],
    ['a threshold is infinite', { trigger: { tokens: Number.POSITIVE_INFINITY } }, 'trigger.tokens'],
    ['a trigger has no condition', { trigger: {} }, 'trigger'],
    ['a target has two measures', { target: { fraction: 0.4, tokens: 10 } }, 'target'],
    ['a target has none', { target: {} }, 'target'],
    ['a target has a floor alone', { target: { atLeast: 10 } }, 'target'],
    ['a number of tokens has a floor', { target: { tokens: 20, atLeast: 10 } }, 'target'],
    ['a price is infinite', { prices: { cacheWrite: Number.POSITIVE_INFINITY } }, 'prices.cacheWrite'],
    ['a price is negative', { prices: { cacheRead: -0.1 } }, 'prices.cacheRead'],
    ['a cache never lives', { prices: { cacheMinutes: 0 } }, 'prices.cacheMinutes'],
    ['a key of the prices is unknown', { prices: { cacheReed: 1 } }, 'prices.cacheReed', '"cacheRead"'],
    ['the reserve is negative', { reserve: -1 }, 'reserve'],
    ['the minimum of messages is 0', { minMessagesToKeep: 0 }, 'minMessagesToKeep'],
    ['the pipeline is empty', { pipeline: [] }, 'pipeline'],
    ['the pipeline is not a list', { pipeline: 'hybrid' }, 'pipeline'],
    ['options are not an object', { options: { hybrid: 5 } }, 'options.hybrid', 'Write options as '],
    [
      'a threshold of a profile is a text',
      { profileThresholds: { fast: 'x' } },
      'profileThresholds.fast',
      'Write profileThresholds as ',
    ],
    ['the history is empty', { historySize: 0 }, 'historySize'],
    ['the time limit is longer than a timer can wait', { timeoutMs: 2 ** 31 }, 'timeoutMs'],
    ['it is not an object', 'tight', 'config', 'A configuration is an object'],
    ['it is null', null, 'config', 'A configuration is an object'],
  ])('%s', (_title, config, place, remedy = `Write ${place.split('.').at(-1)} as `) => {
    const error = refusal(config);
    expect(error).toMatchObject({ code: 'config-invalid', place, remedy: expect.stringContaining(remedy) });
  });

  const [half, more] = [{ fraction: 0.5 }, { fraction: 0.6 }];
  test.each<[string, Config, string]>([
    ['at', { trigger: half, target: half }, 'target.fraction'],
    ['above', { trigger: { tokens: 100 }, target: { tokens: 200 } }, 'target.tokens'],
    ['in a rule above', { rules: [{ trigger: half, target: more }] }, 'rules[0].target.fraction'],
    ['of a rule above the general', { trigger: half, rules: [{ target: more }] }, 'rules[0].target.fraction'],
  ])('the target lies %s the trigger', (_title, config, place) => {
    expect(refusal(config).place).toBe(place);
  });

  test('the warning comes after the compression', () => {
    expect(refusal({ trigger: { fraction: 0.5 }, warn: 0.6 }).place).toBe('warn');
  });
});

test('a rule with its own trigger ignores a target made for another trigger', () => {
  const config = defineConfig({
    trigger: { fraction: 0.75 },
    target: { fraction: 0.5 },
    warn: 0.6,
    rules: [{ model: 'small*', trigger: { fraction: 0.4 } }],
  });
  const parsed = parseConfig(config);
  expect(settingsFor({ model: 'small-1' }, parsed)).not.toHaveProperty('target');
  expect(settingsFor({ model: 'large-1' }, parsed).target).toEqual({ fraction: 0.5 });
});

describe('settings', () => {
  test('are the defaults if nothing is configured', () => {
    expect(settingsFor({}, {})).toMatchObject({
      enabled: true,
      contextWindow: 128_000,
      reserve: 4096,
      trigger: { fraction: 0.75, allowedTokens: true },
      minMessagesToKeep: 4,
      throttleMs: 5000,
      timeoutMs: 120_000,
      historySize: 10,
    });
  });

  test('come from the preset, then the top level, then the first rule that matches', () => {
    const config: Config = {
      reserve: 2,
      historySize: 3,
      rules: [
        { provider: 'acme', reserve: 30, minMessagesToKeep: 7 },
        { provider: 'acme', reserve: 40 },
      ],
    };
    const preset = { reserve: 1, contextWindow: 1_000, warn: 0.6, pipeline: ['hybrid'] };
    const expected = { contextWindow: 1_000, warn: 0.6, pipeline: ['hybrid'], historySize: 3 };
    expect(settingsFor({ provider: 'other' }, config, preset)).toMatchObject({ ...expected, reserve: 2 });
    expect(settingsFor({ provider: 'acme' }, config, preset)).toMatchObject({
      ...expected,
      reserve: 30,
      minMessagesToKeep: 7,
    });
  });

  test('of strategies are merged at every depth, while lists and false replace the value below', () => {
    const preset = {
      options: { results: { reads: { keep: 5, text: 'x' }, tools: [1, 2], copies: { all: true } } },
    };
    const reads = { keep: 3, text: undefined };
    const config: Config = { options: { results: { reads, tools: [3], copies: false } } };
    expect(settingsFor({}, config, preset).options).toEqual({
      results: { reads: { keep: 3, text: 'x' }, tools: [3], copies: false },
    });
    expect(preset.options.results.reads.keep).toBe(5);
  });

  test('have defaults for missing fields of prices', () => {
    const config: Config = {
      prices: { cacheRead: 0.5, cacheWrite: undefined },
      rules: [{ model: 'other', prices: { cacheWrite: 1 } }],
    };
    expect(settingsFor({}, config)).toMatchObject({
      prices: { cacheRead: 0.5, cacheWrite: 1.25 },
    });
    expect(settingsFor({ model: 'other' }, config).prices).toEqual({ cacheRead: 0.1, cacheWrite: 1 });
  });

  test('that set the trigger remove a target and a warning from below', () => {
    const preset = { trigger: { fraction: 0.9 }, target: { fraction: 0.8 }, warn: 0.85 };
    const settings = settingsFor({}, { trigger: { fraction: 0.5 } }, preset);
    expect(settings.target).toBeUndefined();
    expect(settings.warn).toBeUndefined();
    expect(settings.trigger).toEqual({ fraction: 0.5 });
  });
});
