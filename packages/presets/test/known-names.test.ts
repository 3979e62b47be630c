import { type Config, defineConfig, type KnownStrategies, type ManagerOptions, type Rule } from '@ctx/core';
import { modelNames, presetFor, type providerNames } from '@ctx/presets';

/** The literals in a union that takes any other string, too: what an editor offers. */
type Offered<Name> = Name extends string ? (string extends Name ? never : Name) : never;
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;
/** The keys that an editor offers: those of each form of a union. */
type KeysOf<Union> = Union extends object ? Offered<keyof Union> : never;

type Pipeline = Offered<NonNullable<Config['pipeline']>[number]>;
const same: readonly true[] = [
  true satisfies Same<Offered<NonNullable<ManagerOptions['provider']>>, (typeof providerNames)[number]>,
  true satisfies Same<Offered<NonNullable<ManagerOptions['model']>>, (typeof modelNames)[number]>,
  true satisfies Same<Offered<NonNullable<Rule['provider']>>, (typeof providerNames)[number]>,
  true satisfies Same<Offered<NonNullable<Rule['model']>>, (typeof modelNames)[number]>,
  true satisfies Same<Offered<NonNullable<Rule['pipeline']>[number]>, Pipeline>,
  true satisfies Same<KeysOf<NonNullable<Config['options']>>, Pipeline>,
  true satisfies Same<keyof KnownStrategies, Pipeline>,
];
const options: KnownStrategies['middle-removal'] = { preserveStart: 8 };
// @ts-expect-error: options have the types of their strategy.
const wrong: KnownStrategies['middle-removal'] = { preserveStart: 'eight' };

test('an editor offers every strategy in `pipeline` and `options`, with its options, and every provider and model', () => {
  expect(same).not.toContain(false);
  expect([options, wrong]).toHaveLength(2);
});

test('names of your own are taken as before', () => {
  const name: string = 'my-strategy';
  const config = defineConfig({
    pipeline: [name, 'my-other-strategy', 'hybrid'],
    options: { [name]: { any: 1 }, hybrid: { any: 1 } },
    rules: [{ provider: 'my-provider', model: 'my-*' }],
  });
  expect(config.pipeline).toHaveLength(3);
});

test('the limits of every model that is offered are known', () => {
  const warnings = modelNames.flatMap((model) => presetFor({ model }).warnings ?? []);
  expect(warnings).toEqual([]);
  expect(presetFor({ model: 'gpt-unheard-of' }).warnings).toHaveLength(1);
});
