import { type ModelId, parseConfig } from '@ctx/core';
import {
  createContextManager,
  defaults,
  explainChoice,
  presetFor,
  profileNames,
  restore,
} from '@ctx/presets';
import { assistant, user, words } from '@ctx/testing';
import { families } from '../src/families.js';

const pipelineWith = (removal: string) => [
  ...new Set(['tool-results', 'relevance', 'file-folding', removal, 'smart-truncation', 'oldest-removal']),
];
const of = (provider: string | undefined, model: string | undefined): ModelId => ({ provider, model });

const clasic = { profile: 'clasic' } as never;
const unknown = /no such profile \(got "clasic"\).*Did you mean "classic"\?/;
test.each<[what: RegExp, place: string, () => unknown]>([
  [/Give \{ profile/, 'presetFor', () => presetFor({}, 'classic' as never)],
  [/Did you mean "profile"/, 'profil', () => presetFor({}, { profil: 'classic' } as object)],
  [unknown, 'profile', () => presetFor({ model: 'o3' }, clasic)],
  [/no such profile \(got "toString"\)/, 'profile', () => presetFor({}, { profile: 'toString' as never })],
  [/no such profile \(got 7\)/, 'profile', () => presetFor({}, { profile: 7 as never })],
  [/no such profile \(got ""\)/, 'profile', () => presetFor({}, { profile: '' as never })],
  [/not the id of a model/, 'model', () => presetFor({ model: 7 } as never)],
  [/A model was expected\./, 'presetFor', () => presetFor(undefined as never)],
  [/was expected \(got null\)/, 'presetFor', () => presetFor(null as never)],
  [/was expected \(got "gpt-5"\)/, 'presetFor', () => presetFor('gpt-5' as never)],
  [/Give \{ profile/, 'defaults', () => defaults('classic' as never)],
  [/Did you mean "profile"/, 'profil', () => defaults({ profil: 'classic' } as object)],
  [unknown, 'profile', () => defaults(clasic)],
  [/no such profile/, 'profile', () => explainChoice({}, { profile: 'classic' } as never)],
  [unknown, 'profile', () => explainChoice({ model: 'o3' }, 'clasic' as never)],
  [/not the id of a model/, 'model', () => explainChoice(undefined as never)],
  [/model/, 'model', () => createContextManager({ model: 7 } as never)],
])('a wrong call is refused instead of giving the default: %s at %s', (what, place, make) => {
  expect(make).toThrow(expect.objectContaining({ code: 'config-invalid', place }));
  expect(make).toThrow(what);
});

test.each([
  ['gpt-5', 'exact'],
  ['o3', 'exact'],
  ['gpt-3.5-turbo', 'exact'],
  ['claude-sonnet-4-5', 'estimated'],
  ['gemini-2.5-pro', 'estimated'],
  [undefined, 'estimated'],
])('what is counted for %s is called %s until usage is reported', async (model, quality) => {
  const manager = createContextManager({ model });
  await manager.loadTokenizer();
  manager.append(user(words(50)));
  expect(manager.stats().quality).toBe(quality);
  const own = createContextManager({ model, counter: { count: (text) => text.length } });
  expect(own.stats().quality).toBe(model === 'claude-sonnet-4-5' ? 'estimated' : 'exact');
  manager.view();
  manager.reportUsage({ inputTokens: manager.stats().currentTokens });
  expect(manager.stats().quality).toBe('calibrated');
});

test.each([
  [of('openai', 'gpt-4'), 'hybrid', 0.85, 0.9, 6, 6, 4],
  [of('openai', 'o1-preview'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('openai', 'o3-mini'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('anthropic', 'claude-sonnet-4-5'), 'oldest-removal', 0.85, 0.92, 5, 7, 4],
  [of(undefined, 'us.anthropic.claude-opus-4-1-20250805-v1:0'), 'oldest-removal', 0.85, 0.92, 5, 7, 4],
  [of(undefined, 'somebody/else'), 'hybrid', 0.8, 0.9, 4, 5, 4],
  [of(undefined, 'openai/o1'), 'middle-removal', 0.9, 0.95, 8, 8, 4],
  [of('google', 'gemini-1.5-pro'), 'middle-removal', 0.9, 0.95, 10, 10, 4],
  [of('google', 'gemini-2.5-flash'), 'hybrid', 0.8, 0.9, 4, 5, 4],
  [of('lmstudio', 'qwen2.5-coder'), 'hybrid', 0.7, 0.8, 3, 4, 3],
  [of(undefined, undefined), 'hybrid', 0.8, 0.9, 4, 5, 4],
])(
  '%p gets its row of the table',
  (id, strategy, warn, compress, preserveStart, preserveEnd, minMessagesToKeep) => {
    expect(presetFor(id)).toMatchObject({
      pipeline: pipelineWith(strategy),
      warn,
      trigger: { window: true, cost: true },
      target: { room: 0.4, atLeast: 10_000 },
      minMessagesToKeep,
      recallTool: 'recall',
      options: { 'middle-removal': { preserveStart, preserveEnd } },
    });
    expect(presetFor(id, { profile: 'classic' })).toMatchObject({
      pipeline: ['tool-results', strategy],
      beforeSend: { pipeline: ['tool-results'] },
      warn,
      trigger: { fraction: compress },
      target: { fraction: compress > 0.8 ? 0.8 : expect.closeTo(0.72) },
      minMessagesToKeep,
      options: { 'middle-removal': { preserveStart, preserveEnd } },
    });
    expect(explainChoice(id)).toMatchObject({ removal: strategy, pipeline: pipelineWith(strategy) });
  },
);

test.each([
  of('google', 'gemini-1.5-pro'),
  of(undefined, 'models/gemini-2.5-flash'),
  of('anthropic', 'claude-sonnet-4-5'),
])('a view for %p begins with the user', (id) => {
  expect(presetFor(id).leadingUser).toBe(true);
});

test.each(profileNames)(
  'every preset of profile %s is a valid configuration whose target lies below its trigger',
  (profile) => {
    for (const { matches } of families) {
      for (const match of matches) {
        const { trigger, target, warnings: _, ...rest } = presetFor(match, { profile });
        expect(() => parseConfig({ trigger, target, ...rest })).not.toThrow();
        const manager = createContextManager({ ...match, config: { profile } });
        const { targetTokens, maxTokens } = manager.stats();
        expect(targetTokens).toBeLessThan((trigger?.fraction ?? 0.7) * maxTokens);
        const expected =
          profile === 'relevance' ? { room: 0.4, atLeast: 10_000 } : { fraction: expect.any(Number) };
        expect(target).toEqual(expected);
      }
    }
  },
);

test('the manager of a model compresses when the room for an answer is reached', async () => {
  const manager = createContextManager({
    provider: 'ollama',
    config: { contextWindow: 1_000, throttleMs: 0 },
  });
  for (let at = 0; at < 30; at += 1)
    await manager.add((at % 2 === 0 ? user : assistant)(`${words(40)} ${at}`));
  const { tokensBefore, tokensAfter, targetTokens, strategy } = manager.history[0] ?? {};
  expect(strategy).toBe('relevance');
  // A fifth is for the answer; of the rest, a thirtieth is left because a count may be off.
  expect(tokensBefore).toBeGreaterThan(776);
  expect(tokensBefore).toBeLessThan(776 + 60);
  expect(tokensAfter).toBeLessThanOrEqual(targetTokens as number);
});

test('a snapshot is restored with strategies, provider and model', async () => {
  const manager = createContextManager({ provider: 'openai', model: 'o3' });
  for (let at = 0; at < 60; at += 1) manager.append(user(`${words(40)} ${at}`));
  await manager.compress({ targetTokens: 1_000 });
  const restored = restore(JSON.parse(JSON.stringify(manager.snapshot())));
  await restored.simulate(); // loads the tokenizer
  expect(restored.pipeline).toEqual(manager.pipeline);
  expect(restored.stats()).toEqual(manager.stats());
  expect(restored.view()).toEqual(manager.view());
  expect(restored.snapshot()).toEqual(manager.snapshot());
});

test.each([
  [400_000, 'two fifths of the room', (start: number) => Math.floor(0.4 * start)],
  [24_000, '10,000 tokens if that is more', () => 10_000],
  [12_000, 'half of a small one, and no less', (start: number) => Math.floor(start / 2)],
])('relevance, in a window of %d, goes down to %s', (contextWindow, _what, target) => {
  const manager = createContextManager({
    model: 'gpt-5',
    config: { contextWindow, reserve: 0, overhead: { message: 0, conversation: 0 } },
  });
  expect(manager.stats().targetTokens).toBe(target(Math.floor(0.97 * contextWindow) + 1));
});

test('a small request to an unknown Anthropic model fits a small window, and tools take their part of it', async () => {
  const config = { contextWindow: 1_500, throttleMs: 0 };
  const options = { provider: 'anthropic', model: 'claude-next', config };
  const manager = createContextManager(options);
  for (let at = 0; at < 4; at += 1) {
    manager.append(user(words(30)));
    manager.append({ role: 'assistant', content: words(30) });
  }
  manager.append(user('go on'));
  expect((await manager.checkAndCompress()).status).toBe('unchanged');
  const { countedTokens, currentTokens } = manager.stats();
  expect(currentTokens).toBe(Math.round(1.24 * countedTokens));
  manager.setTools([{ name: 'read', input_schema: {} }]);
  expect(manager.stats().currentTokens - currentTokens).toBeGreaterThan(350);
  expect(manager.stats().currentTokens - currentTokens).toBeLessThan(400);
  manager.setTools([{ name: 'read', description: words(3_000), input_schema: {} }]);
  expect(manager.stats().currentTokens - currentTokens).toBeGreaterThan(5_000);
});
