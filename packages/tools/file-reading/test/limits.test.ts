import { ConfigError } from '@ctx/core';
import { getFileReadingLimitsForModel } from '@ctx/file-reading';
import fc from 'fast-check';
import { defaultFileReadingLimits, limitsFor } from '../src/limits.js';

test('the defaults', () => {
  expect(limitsFor()).toEqual({
    singleFileMaxMB: 10,
    singleFileMaxTokens: 50_000,
    batchTotalMaxMB: 20,
    batchTotalMaxTokens: 100_000,
    warningThresholdTokens: 30_000,
    enableStrictMode: true,
  });
});

test.each([
  [8192, 3276, 4915, 1965],
  [32_000, 12_800, 19_200, 7680],
  [128_000, 50_000, 76_800, 30_000],
  [200_000, 50_000, 100_000, 30_000],
  [208_333, 50_000, 100_000, 30_000],
  [209_000, 50_000, 100_000, 30_000],
  [1_000_000, 50_000, 100_000, 30_000],
  [1, 0, 0, 0],
])(
  'a window of %d tokens: %d for a file, %d for several, a notice from %d',
  (window, single, batch, warn) => {
    expect(getFileReadingLimitsForModel(window)).toEqual({
      ...defaultFileReadingLimits,
      singleFileMaxTokens: single,
      batchTotalMaxTokens: batch,
      warningThresholdTokens: warn,
    });
  },
);

test('a file always gets its notice before it is refused', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1e9, noNaN: true }), (window) => {
      const limits = getFileReadingLimitsForModel(window);
      expect(limits.warningThresholdTokens).toBeLessThanOrEqual(limits.singleFileMaxTokens);
      expect(limits.singleFileMaxTokens).toBeLessThanOrEqual(limits.batchTotalMaxTokens);
    }),
  );
});

test('overrides replace the limits from the window, undefined ones do not', () => {
  const overrides = { singleFileMaxTokens: 90_000, enableStrictMode: false, batchTotalMaxMB: undefined };
  expect(getFileReadingLimitsForModel(8192, overrides)).toEqual({
    singleFileMaxMB: 10,
    singleFileMaxTokens: 90_000,
    batchTotalMaxMB: 20,
    batchTotalMaxTokens: 4915,
    warningThresholdTokens: 1965,
    enableStrictMode: false,
  });
});

test('a safety buffer lowers the limits in tokens', () => {
  expect(limitsFor(undefined, {}, 0.2)).toEqual({
    ...defaultFileReadingLimits,
    singleFileMaxTokens: 40_000,
    batchTotalMaxTokens: 80_000,
    warningThresholdTokens: 24_000,
  });
  expect(limitsFor(undefined, { singleFileMaxTokens: 10 }, 0.3).singleFileMaxTokens).toBe(7);
  expect(limitsFor(undefined, {}, 0)).toEqual(defaultFileReadingLimits);
});

test.each([
  [() => limitsFor(undefined, { singleFileMaxMb: 1 } as never), 'limits'],
  [() => limitsFor(undefined, { singleFileMaxMB: -1 }), 'limits.singleFileMaxMB'],
  [() => limitsFor(undefined, { batchTotalMaxTokens: 1.5 }), 'limits.batchTotalMaxTokens'],
  [() => limitsFor(undefined, { warningThresholdTokens: Number.NaN }), 'limits.warningThresholdTokens'],
  [() => limitsFor(undefined, { enableStrictMode: 'yes' as never }), 'limits.enableStrictMode'],
  [() => limitsFor(undefined, null as never), 'limits'],
  [() => getFileReadingLimitsForModel(0), 'contextWindow'],
  [() => getFileReadingLimitsForModel(Number.POSITIVE_INFINITY), 'contextWindow'],
  [() => getFileReadingLimitsForModel('big' as never), 'contextWindow'],
])('what can not work is a ConfigError with its place (%#)', (run, place) => {
  expect(run).toThrow(expect.objectContaining({ code: 'config-invalid', place }));
  expect(run).toThrow(ConfigError);
});
