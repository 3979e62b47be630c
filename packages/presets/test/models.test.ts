import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, createContainer, type ModelId, settingsFor } from '@ctx/core';
import { createContextManager, defaults, presetFor, registerDefaults } from '@ctx/presets';
import { normalizeModel } from '../src/model-name.js';
import { modelsCheckedOn, modelTable } from '../src/model-table.js';

const settings = (model: string) => {
  const { warnings: _, ...rule } = presetFor({ model });
  return settingsFor({ model }, {}, rule);
};

test.each([
  ['gpt-4', 8_192, 'cl100k_base'],
  ['gpt-4-1106-preview', 128_000, 'cl100k_base'],
  ['gpt-4o', 128_000, 'o200k_base'],
  ['gpt-5-2025-08-07', 272_000, 'o200k_base'],
  ['gpt-5-chat-latest', 128_000, 'o200k_base'],
  ['gpt-5.4', 922_000, 'o200k_base'],
  ['gpt-3.5-turbo', 16_385, 'cl100k_base'],
  ['claude-sonnet-4-5', 200_000, 'o200k_base'],
  ['claude-sonnet-4-5[1m]', 1_000_000, 'o200k_base'],
  ['claude-haiku-5-5', 1_000_000, 'o200k_base'],
  ['gemini-3-pro-preview', 1_048_576, 'o200k_base'],
  ['qwen3-coder-480b-a35b-instruct', 262_144, 'o200k_base'],
  ['somebody/else', 128_000, 'o200k_base'],
])('the window of %s is %d tokens', (model, contextWindow, encoding) => {
  expect(settings(model)).toMatchObject({ contextWindow, encoding });
});

test.each([
  ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic/claude-sonnet-4-5'],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'anthropic/claude-sonnet-4'],
  ['bedrock/eu.anthropic.claude-3-haiku-20240307-v1:0:200k', 'anthropic/claude-3-haiku'],
  ['anthropic.claude-v2:1', 'anthropic/claude-v2'],
  [
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-1-20250805-v1:0',
    'anthropic/claude-opus-4-1',
  ],
  ['deepseek.r1-v1:0', 'deepseek/deepseek-r1'],
  ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
  ['publishers/anthropic/models/claude-opus-4@20250514', 'anthropic/claude-opus-4'],
  ['projects/p/locations/eu/publishers/google/models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
  ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
  ['openrouter/anthropic/claude-3.5-sonnet:beta', 'anthropic/claude-3-5-sonnet'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'meta-llama/llama-3.3-70b-instruct'],
  ['qwen2.5-coder:32b', 'qwen2.5-coder'],
  ['azure/gpt-35-turbo', 'azure/gpt-35-turbo'],
  [' Claude-3-7-Sonnet-Latest ', 'claude-3-7-sonnet'],
])('%s is read as %s, and is known', (model, name) => {
  expect(normalizeModel({ model }).model).toBe(name);
  expect(presetFor({ model }).warnings).toBeUndefined();
});

test.each(['', '/', 'models/', 'a'.repeat(10_000)])('an odd id is no crash, but a warning', (model) => {
  expect(presetFor({ model }).warnings).toHaveLength(1);
});

describe('an unknown name causes a warning', () => {
  const warningsOf = (id: ModelId, config: Config = {}) => createContextManager({ ...id, config }).warnings;

  test('that names the nearest model, the window, and how to set it', () => {
    const [warning] = warningsOf({ provider: 'openai', model: 'gtp-4o' });
    expect(warning).toMatch(/"gtp-4o".*"gpt-4o".*128,000.*contextWindow/);
    expect(warningsOf({ provider: 'azure', model: 'prod-gpt-4o-eu' })[0]).toContain('"gpt-4o"');
    expect(warningsOf({ model: 'claude-opus-9' })[0]).toMatch(/200,000/);
    expect(warningsOf({ model: 'nothing-like-it' })[0]).toMatch(/128,000/);
  });

  test('that goes away with a window in the configuration', () => {
    const config = { contextWindow: 32_000 };
    expect(warningsOf({ model: 'my-model' }, config)).toEqual([]);
    expect(warningsOf({ model: 'my-model' }, { rules: [{ model: 'my-*', ...config }] })).toEqual([]);
    expect(createContextManager({ model: 'gpt-5', config }).stats().maxTokens).toBe(32_000);
  });

  test('that names the nearest provider', () => {
    expect(warningsOf({ provider: 'antropic', model: 'claude-sonnet-4-5' })).toEqual([
      'The provider "antropic" is not known; did you mean "anthropic"?',
    ]);
    expect(warningsOf({ provider: 'in-house', model: 'claude-sonnet-4-5' })).toEqual([]);
  });

  test('that names the nearest provider of a rule, whichever model it is for', () => {
    const rules = [
      { provider: 'openia', pipeline: ['hybrid'] },
      { provider: 'openia', model: 'o3' },
      { provider: 'in-house' },
    ];
    expect(warningsOf({ provider: 'anthropic', model: 'claude-sonnet-4-5' }, { rules })).toEqual([
      'The provider "openia" is not known; did you mean "openai"?',
    ]);
  });

  test('and so is the window of a server of one’s own', () => {
    const manager = createContextManager({ provider: 'ollama', model: 'llama3.1:8b' });
    expect(manager.warnings[0]).toMatch(/ollama.*8,192.*contextWindow/);
    expect(manager.stats().maxTokens).toBe(8_192);
  });
});

describe('kept for the answer is', () => {
  test.each([
    ['what the model may say', 'claude-3-opus', 4_096],
    ['no more than a fifth of the window', 'claude-sonnet-4-5', 40_000],
    ['nothing, if the answer has its own room next to the request', 'gpt-5', 0],
    ['the default, if nothing is known', 'somebody/else', 4_096],
    ['a fifth of a small window', 'gpt-4', 1_638],
  ])('%s', (_title, model, reserve) => {
    expect(presetFor({ model }).reserve).toBe(reserve);
  });

  test.each([
    ['nothing of a window that leaves the model as much room as it may need', 'claude-sonnet-4-5', 10_000, 0],
    ['what the model may say less the room beside the window', 'claude-sonnet-4-5', 180_000, 36_000],
    ['a fifth of a window that says more than is assumed', 'somebody/else', 10_000, 2_000],
  ])('%s', (_title, model, contextWindow, reserve) => {
    expect(presetFor({ model }, { contextWindow }).reserve).toBe(reserve);
  });

  test('what the configuration says', () => {
    const config = { contextWindow: 10_000, reserve: 500 };
    expect(createContextManager({ model: 'claude-sonnet-4-5', config }).stats().allowedTokens).toBe(8_500);
  });

  test('so compression starts before it is touched', () => {
    for (const { models, input } of modelTable) {
      const [model = ''] = models.map((pattern) => pattern.replaceAll('*', ''));
      const { allowedTokens, maxTokens } = createContextManager({ model }).stats();
      expect(maxTokens).toBe(input);
      expect(allowedTokens).toBeLessThanOrEqual(0.9 * input);
      expect(allowedTokens).toBeGreaterThan(0.6 * input);
    }
  });
});

describe('reasoning is', () => {
  test.each([
    ['claude-fable-5-1', 'bound'],
    ['us.anthropic.claude-fable-5-1', 'bound'],
    ['claude-opus-5-5', 'bound'],
    ['anthropic/claude-sonnet-5.5', 'bound'],
    ['claude-opus-6', 'bound'],
    ['claude-opus-5', 'kept'],
    ['claude-sonnet-4-5-20250929', 'kept'],
    ['gpt-5', 'kept'],
    ['gemini-3-pro', 'kept'],
  ])('of %s %s', (model, reasoning) => {
    expect(settings(model).reasoning).toBe(reasoning);
  });

  test('bound for a model of Anthropic’s that is not named', () => {
    expect(presetFor({ provider: 'anthropic' }).reasoning).toBe('bound');
  });
});

describe('the table of models', () => {
  test('has no entry that another hides', () => {
    for (const entry of modelTable) {
      for (const pattern of entry.models) {
        const model = pattern.replaceAll('*', 'x');
        const { warnings } = presetFor({ model });
        expect([model, warnings?.length ?? 0]).toEqual([model, entry.assumed ? 1 : 0]);
      }
    }
  });

  test('has possible limits and a source for each entry', () => {
    for (const { input, output, total = input, source } of modelTable) {
      expect(total).toBeGreaterThanOrEqual(Math.max(input, output));
      expect(() => new URL(source)).not.toThrow();
    }
    expect(Number.isNaN(Date.parse(modelsCheckedOn))).toBe(false);
  });

  test('is what docs/models.md shows', () => {
    const page = readFileSync(join(__dirname, '../../../docs/models.md'), 'utf8');
    expect(page).toContain(modelsCheckedOn);
    for (const { models, input, output } of modelTable) {
      const cells = `| ${models.map((model) => `\`${model}\``).join(', ')} | ${input.toLocaleString('en-US')} | ${output.toLocaleString('en-US')} |`;
      expect(page).toContain(cells);
    }
    expect(page.match(/^\| `/gm)).toHaveLength(modelTable.length);
  });
});

describe('a profile', () => {
  const id = { provider: 'openai', model: 'o3' };

  test('is chosen for a container, or in the configuration, which wins', () => {
    const classic = ['tool-results', 'middle-removal'];
    const pipelineOf = (options: object) => createContextManager({ ...id, ...options }).pipeline;
    expect(pipelineOf({ container: defaults({ profile: 'classic' }) })).toEqual(classic);
    expect(pipelineOf({ config: { profile: 'classic' } })).toEqual(classic);
    const container = registerDefaults(createContainer(), { profile: 'classic' });
    expect(pipelineOf({ container, config: { profile: 'relevance' } })).toContain('relevance');
  });

  test('may have a threshold, and another name than those of the presets', () => {
    const config = { profile: 'late', profileThresholds: { late: 30, classic: 40 } };
    const late = createContextManager({ ...id, config });
    expect(late.warnings).toEqual([]);
    // Two fifths of what may leave, on top of the three tokens of every request.
    expect(late.stats().targetTokens).toBe(Math.floor(3 + 0.4 * (0.3 * 200_000 - 3)));
    const classic = createContextManager({ ...id, config: { ...config, profile: 'classic' } });
    expect(classic.pipeline).toEqual(['tool-results', 'middle-removal']);
    expect(classic.stats().targetTokens).toBe(76_000);
  });

  test('that is not there is a warning with the nearest name', () => {
    expect(createContextManager({ ...id, config: { profile: 'clasic' } }).warnings).toEqual([
      'There is no profile "clasic". Did you mean "classic"?',
    ]);
  });
});
