import {
  type Config,
  type ConfigError,
  type ContextEvents,
  ContextManager,
  compressMessages,
  createContainer,
  defineStrategy,
  parseConfig,
  registerStrategy,
  settingsFor,
} from '@ctx/core';
import { managerOf, user, wordCounter } from '@ctx/testing';
import { z } from 'zod';
import { thrownBy } from '../thrown-by.js';

const refusal = (action: () => unknown) => thrownBy(action) as ConfigError;
const dropOldest = defineStrategy({ name: 'drop-oldest', emits: ['drop'], plan: () => ({ edits: [] }) });
class Folding {
  static readonly strategyName = 'folding';
  static readonly optionsSchema = z.strictObject({
    reads: z.strictObject({ keep: z.int(), placeholder: z.string() }).partial().default({}),
    paths: z.array(z.string()).default([]),
  });
  readonly name = Folding.strategyName;
  readonly emits = ['replace'];
  plan = () => ({ edits: [] });
}
function container() {
  const made = createContainer();
  registerStrategy(made, dropOldest);
  registerStrategy(made, Folding);
  return made;
}

test('every problem is reported at once, with its place', () => {
  const config = {
    trigerr: {},
    trigger: { fraction: 0.5, tokens: 100, window: 3 },
    target: { fraction: 0.6 },
    prices: { cacheReads: 3 },
    pipeline: ['drop-oldst'],
    beforeSend: { pipeline: ['nobody'] },
    options: { foldings: {} },
    rules: [
      { contextWindow: -1, pipeline: ['nobody'], options: { 'drop-oldes': {} } },
      { target: { tokens: 200 } },
    ],
  };
  const error = refusal(
    () => new ContextManager({ container: container(), config, contextWindow: 5 } as object),
  );
  expect(error.problems.map(({ place, value }) => [place, value])).toEqual(
    expect.arrayContaining([
      ['contextWindow', 5],
      ['trigerr', {}],
      ['trigger.window', 3],
      ['prices.cacheReads', 3],
      ['rules[0].contextWindow', -1],
      ['target.fraction', 0.6],
      ['rules[1].target.tokens', 200],
      ['options', 'foldings'],
      ['pipeline', 'drop-oldst'],
      ['beforeSend.pipeline', 'nobody'],
      ['rules[0].options', 'drop-oldes'],
      ['rules[0].pipeline', 'nobody'],
    ]),
  );
  expect(error.problems).toHaveLength(12);
  const { problem, ...first } = error.problems[0] as (typeof error.problems)[number];
  expect(error).toMatchObject(first);
  expect(error.message).toContain(problem);
  for (const { place, remedy } of error.problems) {
    expect(error.message).toContain(place);
    expect(error.message).toContain(remedy);
  }
});

test('if there are very many problems, the text lists some and the error holds all', () => {
  const config = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`zz${at}`, at]));
  const error = refusal(() => parseConfig(config));
  expect(error.problems).toHaveLength(500);
  expect(error.message).toContain('- and 479 more');
});

test('every invalid strategy option is reported at once', () => {
  const options = { folding: { reads: { keep: 'x', placeholder: 5 }, paths: [1] } };
  const error = refusal(() => new ContextManager({ container: container(), config: { options } }));
  expect(error.problems.map(({ place, value }) => [place, value])).toEqual([
    ['options.folding.reads.keep', 'x'],
    ['options.folding.reads.placeholder', 5],
    ['options.folding.paths[0]', 1],
  ]);
});

test.each<[string, unknown, string, string]>([
  ['a share in percent', { config: { trigger: { fraction: 80 } } }, 'trigger.fraction', 'for 80 % write 0.8'],
  ['a setting next to config', { contextWindow: 1000 }, 'contextWindow', '{ config: { contextWindow: … } }'],
  ['a misspelt option', { conter: wordCounter }, 'conter', 'Did you mean "counter"?'],
  [
    'a name for a strategy',
    { strategies: ['drop-oldest'] },
    'strategies[0]',
    "config.pipeline: ['drop-oldest']",
  ],
  [
    'a factory instead of a strategy',
    { strategies: [function oldest() {}] },
    'strategies[0]',
    'call it: oldest()',
  ],
  [
    'a class for a strategy',
    { strategies: [Folding] },
    'strategies[0]',
    'registerStrategy(container, Folding)',
  ],
  ['one strategy instead of a list', { strategies: dropOldest }, 'strategies', 'config.pipeline'],
  ['a strategy instead of a name', { config: { pipeline: [dropOldest] } }, 'pipeline[0]', 'next to `config`'],
  ['null', null, 'options', 'The options are provider'],
])('%s gets the sentence that helps', (_title, options, place, remedy) => {
  const error = refusal(() => new ContextManager(options as object));
  expect(error.place).toBe(place);
  expect(error.remedy).toContain(remedy);
});

describe('a call with an unknown option is refused:', () => {
  const manager = managerOf([user('hi')]);
  const calls: [string, (options: never) => Promise<unknown>, string, string][] = [
    ['compress', (options) => manager.compress(options), 'target', 'Did you mean "targetTokens"?'],
    ['simulate', (options) => manager.simulate(options), 'stategy', 'Did you mean "strategy"?'],
    ['checkAndCompress', (options) => manager.checkAndCompress(options), 'beforesend', '"beforeSend"'],
    [
      'add',
      (options) => manager.add(user('x'), options),
      'targetTokens',
      'The options are signal, beforeSend.',
    ],
    ['recover', (options) => manager.recover(new Error(), options), 'beforeSend', 'The options are signal.'],
    ['compressMessages', (options) => compressMessages([], options), 'target', '"targetTokens"'],
  ];
  test.each(calls)('%s', async (_name, act, key, remedy) => {
    await expect(act({ [key]: 5 } as never)).rejects.toMatchObject({
      code: 'config-invalid',
      place: key,
      value: 5,
      remedy: expect.stringContaining(remedy),
    });
    await expect(act('fast' as never)).rejects.toMatchObject({ code: 'config-invalid', value: 'fast' });
    expect(manager.transcript).toHaveLength(1);
  });

  test('a factory in place of a strategy', async () => {
    await expect(manager.compress({ strategy: (() => dropOldest) as never })).rejects.toMatchObject({
      code: 'strategy-invalid',
      place: 'strategy',
      remedy: expect.stringContaining('call it'),
    });
  });
});

test('an unknown event, and a listener that is not a function, are refused', () => {
  const manager = managerOf([]);
  const listen = (name: string, listener: unknown = () => {}) =>
    refusal(() => manager.on(name as keyof ContextEvents, listener as () => void));
  expect(listen('compression-ended').remedy).toBe('Did you mean "compression-end"?');
  expect(listen('toString')).toMatchObject({ code: 'config-invalid', place: 'event', value: 'toString' });
  expect(listen('compression-end', 5)).toMatchObject({ place: 'listener', value: 5 });
  expect(refusal(() => manager.off('x' as never, () => {})).place).toBe('event');
});

test('options that contain themselves are merged, and their strategy finds what it does not know', () => {
  const options: Record<string, unknown> = { paths: ['a'] };
  options.again = options;
  const config = { options: { folding: options }, rules: [{ options: { folding: options } }] };
  expect(settingsFor({}, config).options.folding).toMatchObject({ paths: ['a'], again: { paths: ['a'] } });
  const error = refusal(() => new ContextManager({ container: container(), config }));
  expect(error.problems.map(({ place }) => place)).toEqual(['rules[0].options.folding.again']);
});

describe('the options of a strategy in a rule for another model', () => {
  const problemsOf = (options: object, top: object = {}) => {
    const rules = [{ model: 'other-*', options }];
    const config = { options: top, rules } as Config;
    try {
      new ContextManager({ container: container(), model: 'mine', config });
    } catch (error) {
      return (error as ConfigError).problems.map(({ place, remedy }) => [place, remedy]);
    }
    return [];
  };

  test('are checked when the configuration is read, with the nearest name', () => {
    expect(problemsOf({ folding: { reads: { kep: 1 } } })).toEqual([
      ['rules[0].options.folding.reads.kep', 'Did you mean "keep"?'],
    ]);
    expect(problemsOf({ folding: { completelyDifferent: 1 } })).toEqual([
      ['rules[0].options.folding.completelyDifferent', expect.stringMatching(/^The options are .*reads/)],
    ]);
    expect(problemsOf({ folding: { reads: { keep: 'x' } } })).toMatchObject([
      ['rules[0].options.folding.reads.keep', expect.anything()],
    ]);
  });

  test('are right if they are with those of the top level', () => {
    expect(problemsOf({ folding: { reads: { keep: 1 } } }, { folding: { paths: ['a'] } })).toEqual([]);
  });

  test('do not answer for a mistake at the top level, which is told once', () => {
    expect(problemsOf({ folding: { reads: { keep: 1 } } }, { folding: { pats: ['a'] } })).toEqual([
      ['options.folding.pats', 'Did you mean "paths"?'],
    ]);
  });
});
