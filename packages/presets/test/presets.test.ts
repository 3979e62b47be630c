import { type ModelId, parseConfig, settingsFor } from '@ctx/core';
import {
  adaptSettings,
  approximateCounter,
  createContextManager,
  explainChoice,
  families,
  presetFor,
} from '@ctx/presets';
import { user, words } from '@ctx/testing';

const pipelineWith = (removal: string) => [
  ...new Set(['tool-results', 'relevance', 'file-folding', removal, 'smart-truncation', 'oldest-removal']),
];
const of = (provider: string | undefined, model: string | undefined): ModelId => ({ provider, model });

test.each([
  [of('openai', 'gpt-4'), 'hybrid', 0.85, 0.9, 6, 6, 4],
  [of('openai', 'gpt-4o-mini'), 'hybrid', 0.85, 0.9, 6, 6, 4],
  [of('openai', 'gpt-5.1-codex'), 'hybrid', 0.85, 0.9, 6, 6, 4],
  [of('openai', 'o1-preview'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('openai', 'o1'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('openai', 'o3-mini'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('anthropic', 'claude-sonnet-4-5'), 'oldest-removal', 0.85, 0.92, 5, 7, 4],
  [of('openrouter', 'anthropic/claude-sonnet-4.5'), 'oldest-removal', 0.85, 0.92, 5, 7, 4],
  [of(undefined, 'openai/o1'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('google', 'gemini-1.5-pro'), 'middle-removal', 0.9, 0.95, 10, 10, 4],
  [of('google', 'gemini-2.5-flash'), 'hybrid', 0.8, 0.9, 4, 5, 4],
  [of('openai', 'gpt-3.5-turbo'), 'hybrid', 0.8, 0.9, 4, 5, 4],
  [of('lmstudio', 'qwen2.5-coder'), 'hybrid', 0.7, 0.8, 3, 4, 3],
  [of('ollama', 'llama3.1'), 'hybrid', 0.7, 0.8, 3, 4, 3],
  [of(undefined, undefined), 'hybrid', 0.8, 0.9, 4, 5, 4],
])(
  '%p gets its row of the table',
  (id, strategy, warn, compress, preserveStart, preserveEnd, minMessagesToKeep) => {
    expect(presetFor(id)).toMatchObject({
      pipeline: pipelineWith(strategy),
      warn,
      trigger: { fraction: compress },
      minMessagesToKeep,
      options: { 'middle-removal': { preserveStart, preserveEnd } },
    });
    expect(explainChoice(id)).toMatchObject({ removal: strategy, pipeline: pipelineWith(strategy) });
  },
);

test('every preset is a valid configuration whose target lies below its trigger', () => {
  for (const { matches } of families) {
    for (const match of matches) {
      const { trigger, target, ...rest } = presetFor(match);
      expect(() => parseConfig({ trigger, target, ...rest })).not.toThrow();
      expect(target?.fraction).toBeLessThan(trigger?.fraction as number);
    }
  }
  expect(presetFor({ provider: 'ollama' }).target).toEqual({ fraction: 0.2, atLeast: 15_000 });
});

test.each([
  ['gpt-4', 8_192, 'cl100k_base'],
  ['gpt-4-32k', 32_768, 'cl100k_base'],
  ['gpt-4-turbo', 128_000, 'cl100k_base'],
  ['gpt-4o', 128_000, 'o200k_base'],
  ['gpt-3.5-turbo', 16_385, 'cl100k_base'],
  ['o1-mini', 128_000, 'o200k_base'],
  ['claude-3-opus', 200_000, 'o200k_base'],
  ['claude-2.0', 100_000, 'o200k_base'],
  ['gemini-pro', 32_760, 'o200k_base'],
  ['gemini-1.5-flash', 1_000_000, 'o200k_base'],
  ['somebody/else', 8_192, 'o200k_base'],
])('the window of %s is %d tokens', (model, contextWindow, encoding) => {
  expect(settingsFor({ model }, {}, presetFor({ model }))).toMatchObject({ contextWindow, encoding });
});

test('a manager for a model has its strategies, and the caller’s configuration goes first', () => {
  expect(createContextManager({ provider: 'anthropic' }).pipeline).toEqual(pipelineWith('oldest-removal'));
  const config = { pipeline: ['middle-removal'], contextWindow: 1_000, trigger: { fraction: 0.5 } };
  const manager = createContextManager({ provider: 'anthropic', config });
  expect(manager.pipeline).toEqual(['middle-removal']);
  expect(manager.stats()).toMatchObject({ maxTokens: 1_000, targetTokens: 350 });
});

test('a wrong name is an error that names the nearest strategy', () => {
  expect(() => createContextManager({ config: { pipeline: ['midle-removal'] } })).toThrow(
    'Did you mean "middle-removal"?',
  );
  expect(() => createContextManager({ config: { options: { 'oldest-removal': { keep: 1 } } } })).toThrow(
    'options.oldest-removal',
  );
});

test('the manager of a model compresses at its threshold', async () => {
  const manager = createContextManager({
    provider: 'ollama',
    config: { contextWindow: 1_000, throttleMs: 0 },
  });
  for (let at = 0; at < 30; at += 1) await manager.add(user(`${words(40)} ${at}`));
  const { tokensBefore, tokensAfter, strategy } = manager.history[0] ?? {};
  expect(strategy).toBe('relevance');
  expect(tokensBefore).toBeGreaterThanOrEqual(800);
  expect(tokensBefore).toBeLessThan(860);
  expect(tokensAfter).toBeLessThanOrEqual(700);
});

describe('settings are adapted', () => {
  const base = { strategy: 'hybrid', warn: 0.8, compress: 0.9, preserveStart: 4, preserveEnd: 9 };
  const usual = { compressionFrequency: 0.2, length: 20, messageTokens: 500 };
  test.each([
    ['not at all to a usual conversation', {}, base],
    ['to frequent compression', { compressionFrequency: 0.31 }, { ...base, warn: 0.72, compress: 0.855 }],
    ['to rare compression', { compressionFrequency: 0.09 }, { ...base, warn: 0.88, compress: 0.945 }],
    ['to long conversations', { length: 51 }, { ...base, preserveStart: 6, preserveEnd: 10 }],
    ['to large messages', { messageTokens: 1001 }, { ...base, strategy: 'middle-removal' }],
    ['to small messages', { messageTokens: 99 }, { ...base, strategy: 'oldest-removal' }],
  ])('%s', (_title, habits, expected) => {
    const adapted = adaptSettings(base, { ...usual, ...habits });
    expect(adapted.warn).toBeCloseTo(expected.warn, 10);
    expect(adapted.compress).toBeCloseTo(expected.compress, 10);
    expect({ ...adapted, warn: 0, compress: 0 }).toEqual({ ...expected, warn: 0, compress: 0 });
  });

  test('within bounds', () => {
    expect(
      adaptSettings({ ...base, warn: 0.94, compress: 0.97 }, { ...usual, compressionFrequency: 0 }),
    ).toMatchObject({
      warn: 0.95,
      compress: 0.98,
    });
    expect(
      adaptSettings({ ...base, warn: 0.51, compress: 0.61 }, { ...usual, compressionFrequency: 1 }),
    ).toMatchObject({
      warn: 0.5,
      compress: 0.6,
    });
  });
});

test('counting by length alone follows the density of the provider', () => {
  const prose = 'plain words only '.repeat(10);
  expect(approximateCounter('anthropic').count(prose)).toBe(Math.ceil(prose.length * 0.25 * 0.95));
  expect(approximateCounter('anthropic').count('if (a) { b(); }')).toBe(Math.ceil(15 * 0.25 * 1.05));
  expect(approximateCounter('google').count('{"a":1}')).toBe(Math.ceil(7 * 0.28 * 1.1 * 1.15));
  expect(approximateCounter('default').count(prose)).toBe(Math.ceil(prose.length * 0.3 * 1.25));
  expect(approximateCounter('default').count('')).toBe(0);
});
