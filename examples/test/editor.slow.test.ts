import { createContainer, strategyNames } from '@ctx/core';
import { modelNames, providerNames, registerDefaults } from '@ctx/presets';
import { LanguageServer } from './language-server.js';

const server = new LanguageServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const strategies = strategyNames(registerDefaults(createContainer())).sort();
const head = "import { createContextManager } from '@ctx/presets';\nconst manager = createContextManager";

test.each<[string, string, readonly string[]]>([
  ['provider', "({ provider: '|' });", providerNames],
  ['model', "({ model: '|' });", modelNames],
  ['pipeline', "({ config: { pipeline: ['|'] } });", strategies],
  ['pipeline of a rule', "({ config: { rules: [{ pipeline: ['|'] }] } });", strategies],
  ['options', '({ config: { options: { | } } });', strategies],
  [
    'options of a strategy',
    "({ config: { options: { 'middle-removal': { | } } } });",
    ['minMessagesToKeep', 'preserveEnd', 'preserveStart'],
  ],
])('an editor completes %s', async (_name, text, expected) => {
  expect(await server.completions(`${head}${text}`)).toEqual([...expected].sort());
});

test('an editor completes the strategies of a fetch and the events of a manager', async () => {
  const fetch = "import { contextFetch } from '@ctx/fetch';\ncontextFetch({ config: { pipeline: ['|'] } });";
  expect(await server.completions(fetch)).toEqual(strategies);
  expect(await server.completions(`${head}();\nmanager.on('|', () => {});`)).toContain('compression-end');
});

test.each([
  ['contextWindow', '({ config: { context|Window: 5 } });', 'hard input limit, in tokens.'],
  ['a condition', '({ config: { trigger: { frac|tion: 0.5 } } });', 'share of the window, 0–1'],
  ['tools', '({ too|ls: [] });', 'They are counted'],
])('an editor shows what %s is', async (_name, text, expected) => {
  expect(await server.hover(`${head}${text}`)).toContain(expected);
});
