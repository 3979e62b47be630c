import { system } from './system.js';
import { agent, bash, edit, failing, grep, read, type Task, user, write } from './task.js';

const nearest = 'packages/core/src/nearest.ts';
const test = 'packages/core/test/did-you-mean.test.ts';

const testText = `import { createContainer, defineStrategy, parseConfig, registerStrategy, resolveStrategy } from '@ctx/core';

function containerWith(...names: string[]) {
  const container = createContainer();
  for (const name of names) {
    registerStrategy(container, defineStrategy({ name, emits: [], plan: () => ({ edits: [] }) }));
  }
  return container;
}

describe('a mistyped name of a strategy', () => {
  test.each(['midle-removal', 'middle-removl', 'middleremoval'])('%s', (name) =>
    expect(() => resolveStrategy(containerWith('middle-removal', 'oldest-removal'), name)).toThrow(
      'Did you mean "middle-removal"?',
    ));

  test('that is near to none lists what is registered', () =>
    expect(() => resolveStrategy(containerWith('middle-removal', 'hybrid'), 'summary')).toThrow(
      'Registered are middle-removal, hybrid.',
    ));
});

test('a mistyped key of a configuration', () =>
  expect(() => parseConfig({ contextWindw: 8192 })).toThrow('Did you mean "contextWindow"?'));
`;

const longTest = `
test('a very long key is compared by its beginning', () =>
  expect(() => parseConfig({ ['trigger'.padEnd(50_000, 'x')]: true })).toThrow('There is no such key'));
`;

/** A hint that names the wrong strategy, then questions about where hints come from. */
export const didYouMean: Task = {
  id: 'did-you-mean',
  system,
  prepare: [edit(nearest, '[best, least] = [candidate, distance];', 'best = candidate;')],
  steps: [
    user(
      'A configuration with the pipeline ["midle-removal"] is refused with: Did you mean "oldest-removal"? It should say middle-removal. Please find the cause. No new dependency, and keep your answers short.',
    ),
    agent('The hint is made somewhere in core.', [
      grep('Did you mean', 'packages/core/src'),
      failing(read('packages/core/src/did-you-mean.ts')),
    ]),
    agent('There is no file of that name; config.ts and registry.ts make the hint. What do they call?', [
      grep('nearest', 'packages/core/src'),
    ]),
    agent('', [read(nearest), read('packages/core/src/registry.ts')]),
    agent(
      '`nearest` keeps the best candidate, but I do not see `least` getting smaller: each candidate that is under the first limit replaces the one before. A test to be sure.',
      [write(test, testText)],
    ),
    agent('', [failing(bash('npx jest packages/core/test/did-you-mean.test.ts'))], {
      failed: /Tests: +(\d+) failed/,
    }),
    agent(
      '{failed} of them fails, with "oldest-removal", the last candidate. So that is it: the distance of the best one has to be remembered.',
      [edit(nearest, 'best = candidate;', '[best, least] = [candidate, distance];')],
    ),
    agent(
      '',
      [
        bash('npx jest packages/core/test/did-you-mean.test.ts'),
        failing(bash('npx biome check packages/core/src/nearest.ts packages/core/test/did-you-mean.test.ts')),
      ],
      { passed: /Tests: +(\d+) passed/ },
    ),
    agent('biome wants my test in another form. Let it write that.', [
      bash('npx biome check --write packages/core/test/did-you-mean.test.ts'),
    ]),
    agent(
      'Fixed: `nearest` (packages/core/src/nearest.ts) took the last candidate within the limit instead of the nearest one. {passed} tests pass.',
    ),
    user('How far off may a name be?'),
    agent('', [read(nearest, { limit: 11 })]),
    agent(
      'A third of its length, rounded up, and at least 2. So `midle-removal` with 13 characters may differ in 5, which is why "oldest-removal" came into question at all.',
    ),
    user('And a very long name? A configuration may be anything.'),
    agent('`editDistance` cuts both at 100 characters. I will test that with a long key.', [
      read(test),
      edit(
        test,
        'toThrow(\'Did you mean "contextWindow"?\'));\n',
        `toThrow('Did you mean "contextWindow"?'));\n${longTest}`,
      ),
    ]),
    agent('', [bash('npx jest packages/core/test/did-you-mean.test.ts')], { more: /Tests: +(\d+) passed/ }),
    agent('{more} pass, the one with 50,000 characters among them, and it is as fast as the others.'),
    user('Name that 100. And from now on run biome with every change, please.'),
    agent('', [read(nearest), grep('slice\\(0, \\d+\\)', 'packages/core/src')]),
    agent('', [
      edit(
        nearest,
        '/** Levenshtein distance, row by row; of the first 100 characters. */',
        '/** Characters of a name that are compared. */\nconst comparedLength = 100;\n\n/** Levenshtein distance, row by row; of the first characters. */',
      ),
      edit(
        nearest,
        'const [from, to] = [a.slice(0, 100), b.slice(0, 100)];',
        'const [from, to] = [a.slice(0, comparedLength), b.slice(0, comparedLength)];',
      ),
    ]),
    agent('', [
      bash('npx biome check packages/core/src/nearest.ts'),
      bash('npx jest packages/core/test/did-you-mean.test.ts'),
      bash('npx tsc -b packages/core'),
    ]),
    agent('Done: `comparedLength` in nearest.ts. biome, the tests and tsc are quiet.'),
    user(
      'How does a configuration become the settings of one model? I want to know where an unknown strategy is noticed.',
    ),
    agent('From parseConfig to the manager: I will read the stretch.', [
      read('packages/core/src/config.ts'),
      read('packages/core/src/context-manager.ts', { limit: 110 }),
      read('packages/core/src/registry.ts', { offset: 100, limit: 90 }),
    ]),
    agent(
      'And the errors themselves.',
      [read('packages/core/src/errors.ts'), grep('new ConfigError', 'packages')],
      {
        errors: /(\d+) matches/,
      },
    ),
    agent(
      '`parseConfig` checks form and order, `settingsFor` puts defaults, preset rule, top level and matching rule over one another, and the constructor of ContextManager calls `resolveStrategy` for each name in `pipeline`: there an unknown one is noticed, so before any message. `provideOptions` does the same for the names under `options`. A ConfigError is made in {errors} places.',
    ),
    user('Also when the wrong name stands in a rule for another model?'),
    agent(
      '`settingsFor` only takes the rule that matches. Let me look once more at what it does with the others.',
      [read('packages/core/src/config.ts', { offset: 138, limit: 50 })],
    ),
    agent(
      'No: a wrong name in a rule that does not match is found only when a manager for that model is made. parseConfig could not know: it has no container.',
    ),
    user('ok, leave it like that. Write a test that holds this, so that nobody is surprised.'),
    agent('', [
      write(
        'packages/core/test/rule-of-another-model.test.ts',
        `import { createContextManager } from '@ctx/core';

const config = { rules: [{ model: 'large-*', pipeline: ['middle-removal'] }] };

test('a wrong name in a rule is noticed when a manager for its model is made, not before', () => {
  expect(createContextManager({ model: 'small-1', config }).pipeline).toEqual(['none']);
  expect(() => createContextManager({ model: 'large-1', config })).toThrow('There is no strategy of this name');
});
`,
      ),
    ]),
    agent('', [failing(bash('npx jest packages/core/test/rule-of-another-model.test.ts'))]),
    agent('My own mistake: without a rule the pipeline is empty, not "none".', [
      edit('packages/core/test/rule-of-another-model.test.ts', "toEqual(['none'])", 'toEqual([])'),
      bash('npx jest packages/core/test/rule-of-another-model.test.ts'),
      bash('npx biome check --write packages/core/test/rule-of-another-model.test.ts'),
    ]),
    agent(
      'It passes: a manager for `small-1` is made with an empty pipeline, one for `large-1` is refused. The test is packages/core/test/rule-of-another-model.test.ts.',
    ),
  ],
};
