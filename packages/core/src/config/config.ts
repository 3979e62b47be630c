import { refuse } from '../base/errors.js';
import type { GivenPrices } from '../budget/request-cost.js';
import { type Config, defaults, type Rule, type Settings } from './config-keys.js';
import { given, type Layer, over } from './config-layers.js';
import { configProblems, orderProblems } from './config-problems.js';
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
  const { breaker, trigger } = result;
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
    breaker: breaker === false ? false : { ...defaults.breaker, ...given(breaker) },
  } as Settings;
}
