import { withLearnedWindow } from '../src/known-window.js';

describe('a window that a provider has named', () => {
  test.each([
    ['shares its tokens with the answer', 'claude-sonnet-4-5', 50_000, 10_000],
    ['does so where the table of models gives the answer room of its own', 'gpt-5', 50_000, 10_000],
    ['keeps no more for the answer than the model may say', 'claude-3-opus', 100_000, 4_096],
  ])('%s', (_title, model, tokens, reserve) => {
    expect(withLearnedWindow(undefined, tokens, { model })).toEqual({ contextWindow: tokens, reserve });
    const wished = { contextWindow: 120_000, reserve: 500 };
    expect(withLearnedWindow(wished, tokens, { model })).toEqual({ contextWindow: tokens, reserve: 500 });
  });

  test('counts only where it is less than what is said otherwise', () => {
    const config = { contextWindow: 20_000 };
    expect(withLearnedWindow(config, 50_000, { model: 'gpt-5' })).toBe(config);
    expect(withLearnedWindow(undefined, 300_000, { model: 'claude-sonnet-4-5' })).toBeUndefined();
    expect(withLearnedWindow(config, undefined, { model: 'gpt-5' })).toBe(config);
  });
});
