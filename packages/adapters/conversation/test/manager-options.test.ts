import { settingsFor } from '../src/manager-options.js';

const withLearned = (config: Parameters<typeof settingsFor>[1], learned: number | undefined, model: string) =>
  settingsFor({ request: {}, learned, cache: undefined }, config, { model });

describe('a window that a provider has named', () => {
  test.each([
    ['shares its tokens with the answer', 'claude-sonnet-4-5', 50_000, 10_000],
    ['does so where the table of models gives the answer room of its own', 'gpt-5', 50_000, 10_000],
    ['keeps no more for the answer than the model may say', 'claude-3-opus', 100_000, 4_096],
  ])('%s', (_title, model, tokens, reserve) => {
    expect(withLearned(undefined, tokens, model)).toEqual({ contextWindow: tokens, reserve });
    const wished = { contextWindow: 120_000, reserve: 500 };
    expect(withLearned(wished, tokens, model)).toEqual({ contextWindow: tokens, reserve: 500 });
  });

  test('holds the input alone with Google, whose models answer beside it', () => {
    const settings = settingsFor(
      { request: {}, learned: 14_000, cache: undefined },
      { contextWindow: 16_000 },
      { provider: 'google', model: 'gemini-2.5-pro' },
    );
    expect(settings).toEqual({ contextWindow: 14_000, reserve: 0 });
  });

  test('counts only where it is less than what is said otherwise', () => {
    const config = { contextWindow: 20_000 };
    expect(withLearned(config, 50_000, 'gpt-5')).toEqual(config);
    expect(withLearned(undefined, 300_000, 'claude-sonnet-4-5')).toEqual({});
    expect(withLearned(config, undefined, 'gpt-5')).toEqual(config);
  });
});
