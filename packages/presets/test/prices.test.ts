import { createContextManager, presetFor } from '../src/index.js';

test.each([
  ['claude-fable-5-1', { perMillion: 10, cacheRead: 0.025, cacheWrite: 1.25, cacheMinutes: 5 }],
  ['us.anthropic.claude-opus-5-5', { perMillion: 4, cacheRead: 0.05, cacheWrite: 1.25, cacheMinutes: 5 }],
  ['claude-opus-4-8', { perMillion: 5, cacheRead: 0.1, cacheWrite: 1.25, cacheMinutes: 5 }],
  ['claude-haiku-5-5', { perMillion: undefined, cacheRead: 0.1, cacheWrite: 1.25, cacheMinutes: 5 }],
  ['gpt-6.1-sol', { perMillion: 2, cacheRead: 0.05, cacheWrite: 1.25, cacheMinutes: 30 }],
  ['gpt-5', { perMillion: 1.25, cacheRead: 0.1, cacheWrite: 1, cacheMinutes: 24 * 60 }],
  ['grok-4.7', { perMillion: 2, cacheRead: 0.25, cacheWrite: 1, cacheMinutes: undefined }],
])('the prices of %s are known', (model, prices) => {
  expect(presetFor({ model }).prices).toEqual(prices);
});

test('a model without known prices has those of core, and a cache that never expires', () => {
  expect(presetFor({ model: 'some-model' }).prices).toBeUndefined();
  expect(presetFor({ provider: 'openai' }).prices).toBeUndefined();
});

test('what a session costs is told in dollars with nothing configured', () => {
  const manager = createContextManager({ model: 'claude-sonnet-5-5' });
  manager.append({ role: 'user', content: 'Hello' });
  manager.request();
  const { spent } = manager.stats();
  expect(spent.unit).toBe('dollars');
  expect(spent.withCompression).toBeGreaterThan(0);
  expect(spent.withCompression).toBeLessThan(0.01);
});
