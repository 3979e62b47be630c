import { type ErrorFields, refuse } from '../base/errors.js';
import { isFields, isPlain } from '../base/native.js';
import type { GivenPrices } from '../budget/request-cost.js';
import {
  type Config,
  configSchema,
  defaultArrivals,
  defaults,
  type Rule,
  type Settings,
} from './config-keys.js';
import { allKeys, faultsIn, type Wording } from './faults.js';
import { type ModelId, matches } from './match.js';

export type { Config, Rule, Settings } from './config-keys.js';

/** Gives a configuration file its type. */
export function defineConfig(config: Config): Config {
  return config;
}

/**
 * Checks a configuration.
 * @throws ConfigError `config-invalid`, which lists every problem with its key; for an unknown key also the nearest
 * existing one
 */
export function parseConfig(config: unknown): Config {
  refuse(configProblems(config));
  return config as Config;
}

/** The configuration's own settings for a model: its top level, overridden by the first rule that matches. */
export function ownSettings(id: ModelId, { rules = [], ...top }: Config): Layer {
  return over(top, rules.find((rule) => matches(rule, id)) ?? {});
}

/**
 * The settings for a model. Each layer overrides the one before: the defaults, the preset for the model, the
 * configuration's top level, its first rule that matches. Strategy options are merged key by key, at every depth. A
 * layer that sets the trigger also removes the target and the warning from below, because they were made for another
 * trigger. If the configuration gives `prices.cacheRead` but no trigger, the cost triggers too.
 * @throws ConfigError `config-invalid` if the target is not below the trigger
 */
export function settingsFor(id: ModelId, config: Config, preset?: Rule): Settings {
  const { rules = [], ...top } = config;
  const layers = [preset, top, rules.find((rule) => matches(rule, id))];
  const result = layers.reduce((below: Layer, layer) => over(below, layer ?? {}), { ...defaults });
  refuse(orderProblems('', result));
  const { trigger } = result;
  const own = [top, layers[2]].filter((layer) => layer !== undefined);
  const prices: GivenPrices = own.findLast((layer) => layer.prices)?.prices ?? {};
  const { cacheRead, cacheWrite, perMillion } = prices;
  const byCost = cacheRead !== undefined && !own.some((layer) => layer.trigger);
  // The table's price of a token is none of a host's own prices, which may be in money.
  const isOwn = (cacheRead ?? cacheWrite) !== undefined && perMillion === undefined;
  return {
    ...result,
    trigger: byCost ? { ...trigger, cost: true } : trigger,
    prices: given({
      ...defaults.prices,
      ...given(preset?.prices),
      ...(isOwn && { perMillion: undefined }),
      ...given(prices),
    }),
  } as Settings;
}

type Layer = Omit<Config, 'rules'>;

/** Puts a layer over the one below. Settings that the layer does not give are taken from below. */
function over(below: Layer, layer: Layer): Layer {
  const { target, warn, ...kept } = below;
  return {
    ...(layer.trigger === undefined ? below : kept),
    ...given(layer),
    options: merged(below.options ?? {}, layer.options ?? {}) as NonNullable<Config['options']>,
  };
}

export function given<Fields extends object>(fields: Fields = {} as Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** Levels of options that are merged. Deeper ones are those of the layer above: a value may contain itself. A limit. */
const maxDepth = 64;

/** Uses `fromEntries`, for which `__proto__` is an ordinary name. */
function merged(below: object, above: object, depth = 0): object {
  const fields = new Map<string, unknown>(Object.entries(below));
  for (const [name, value] of Object.entries(above)) {
    const beneath = fields.get(name);
    const isInner = depth < maxDepth && isPlain(value) && isPlain(beneath);
    if (isInner) fields.set(name, merged(beneath, value, depth + 1));
    else if (value !== undefined || beneath === undefined) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

const ordered = ['trigger', 'target', 'warn', 'arrivals'] as const;

export const knownKeys: readonly string[] = [...new Set(allKeys(configSchema))];

const wording: Wording = {
  subject: 'The configuration is',
  unknown: 'Unknown key',
  keys: 'The keys',
  whole: 'config',
  alsoNear: knownKeys,
  remedyFor({ issue, path, value }) {
    if (issue.code === 'too_big' && issue.maximum === 1 && typeof value === 'number' && value <= 100)
      return `A share is between 0 and 1: for ${value} % write ${value / 100}.`;
    if (path.includes('pipeline') && (typeof value === 'function' || isFields(value)))
      return 'A pipeline holds names. Strategies themselves go into `strategies`, next to `config`.';
    return path.length === 0 ? 'A configuration is an object; every key is optional.' : undefined;
  },
};

/** All problems of a configuration, in the order of its keys, except those of strategy options. */
export function configProblems(config: unknown): ErrorFields[] {
  return [
    ...faultsIn(configSchema, config, wording),
    ...layersIn(config).flatMap(({ at, own, merged }) =>
      ordered.some((key) => own[key] !== undefined) ? orderProblems(at, merged) : [],
    ),
  ];
}

/** The top level of a configuration and its rules, each with its place and over what is below it. Nothing is checked but that they are objects. */
export function layersIn(config: unknown): { at: string; own: Layer; merged: Layer }[] {
  if (!isFields(config)) return [];
  const { rules, ...top } = config as Config;
  const ofRules = (Array.isArray(rules) ? rules : []).flatMap((rule, index) =>
    isFields(rule) ? { at: `rules[${index}].`, own: rule, merged: over(top, rule) } : [],
  );
  return [{ at: '', own: top, merged: top }, ...ofRules];
}

/** Finds a target at or above its trigger, and a warning after it. Values that are not numbers are skipped. */
function orderProblems(
  where: string,
  { trigger, target, warn, arrivals }: Pick<Config, (typeof ordered)[number]>,
): ErrorFields[] {
  const problems = excerptProblems(`${where}arrivals`, arrivals);
  for (const unit of ['fraction', 'tokens'] as const) {
    const start = trigger?.[unit];
    const end = target?.[unit];
    if (typeof start !== 'number' || typeof end !== 'number' || !(end >= start)) continue;
    problems.push({
      code: 'config-invalid',
      problem: 'The target must be below the trigger, or each compression starts another',
      place: `${where}target.${unit}`,
      value: end,
      remedy: `Set it below trigger.${unit}, which is ${start}.`,
    });
  }
  const start = trigger?.fraction;
  if (typeof warn === 'number' && typeof start === 'number' && warn > start) {
    problems.push({
      code: 'config-invalid',
      problem: 'The warning must come before the compression',
      place: `${where}warn`,
      value: warn,
      remedy: `Set it to trigger.fraction, which is ${start}, or less.`,
    });
  }
  return problems;
}

/** Finds excerpts that would be no smaller than what they are made of. */
function excerptProblems(place: string, arrivals: Config['arrivals']): ErrorFields[] {
  const { tools = {}, ...own } = arrivals || {};
  const all = [
    [place, {}] as const,
    ...Object.entries(tools).map(([name, one]) => [`${place}.tools.${name}`, one] as const),
  ];
  return all.flatMap(([at, one]): ErrorFields[] => {
    const { over: most, to } = { ...defaultArrivals, ...own, ...one };
    if (typeof most !== 'number' || typeof to !== 'number' || !(to >= most)) return [];
    const problem = 'An excerpt must be smaller than the results that it is made of';
    const remedy = `Set it below over, which is ${most}.`;
    return [{ code: 'config-invalid', problem, place: `${at}.to`, value: to, remedy }];
  });
}
