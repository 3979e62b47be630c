import { refuse } from '../base/errors.js';
import type { BreakerRules } from '../budget/circuit-breaker.js';
import type { CachePrices } from '../budget/request-cost.js';
import type { Trigger } from '../budget/trigger.js';
import type { Prior } from '../count/coefficients.js';
import type { PriorityPreset } from '../view/priority.js';
import type { Config, Rule } from './config-keys.js';
import { given, type Layer, over } from './config-layers.js';
import { configProblems, orderProblems } from './config-problems.js';
import { type ModelId, matches } from './match.js';

export type { Config, Rule } from './config-keys.js';

/** Used if neither the configuration nor a preset says otherwise. In tokens, ms, and shares of the window (0–1). */
const defaults = {
  enabled: true,
  contextWindow: 128_000,
  reserve: 4096,
  trigger: { fraction: 0.75, allowedTokens: true } as Trigger,
  minMessagesToKeep: 4,
  pipeline: [] as string[],
  beforeSend: false as const,
  options: {} as Record<string, Record<string, unknown>>,
  encoding: 'o200k_base' as const,
  overhead: { message: 3, conversation: 3 },
  prior: { offset: 0, factor: 1, perToolCall: 0 } as Prior,
  prices: { cacheRead: 0.1, cacheWrite: 1.25 } as CachePrices,
  leadingUser: false,
  reasoning: 'kept' as const,
  priorities: 'default' as const,
  marker: false as boolean | string,
  background: false as boolean,
  throttleMs: 5000,
  timeoutMs: 120_000,
  historySize: 10,
  breaker: { strikes: 3, minReduction: 0.05, coolDownMs: 60_000 } as BreakerRules | false,
  seed: 1,
  profileThresholds: {} as Record<string, number>,
};

/** The settings in force for one model. */
export type Settings = Omit<typeof defaults, 'reasoning' | 'beforeSend'> & {
  /** The tool that gives back what left the view. */
  readonly recallTool?: string | undefined;
  readonly beforeSend:
    | false
    | { readonly pipeline: readonly string[]; readonly atLeast?: number | undefined };
  /** If missing: half of the window, or seven tenths of where the trigger starts if that is less. */
  readonly target?: Config['target'];
  /** If missing: a tenth of the window before the trigger. */
  readonly warn?: number | undefined;
  readonly profile?: string | undefined;
  readonly priorities: PriorityPreset;
  readonly reasoning: 'bound' | 'kept' | 'dropped';
  readonly encoding: 'o200k_base' | 'cl100k_base';
};

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
 * trigger. If the configuration gives prices but no trigger, the cost triggers too.
 * @throws ConfigError `config-invalid` if the target is not below the trigger
 */
export function settingsFor(id: ModelId, config: Config, preset?: Rule): Settings {
  const { rules = [], ...top } = config;
  const layers = [preset, top, rules.find((rule) => matches(rule, id))];
  const result = layers.reduce((below: Layer, layer) => over(below, layer ?? {}), { ...defaults });
  refuse(orderProblems('', result));
  const { breaker, prices, trigger } = result;
  const own = [top, layers[2]].filter((layer) => layer !== undefined);
  const byCost = own.some((layer) => layer.prices) && !own.some((layer) => layer.trigger);
  return {
    ...result,
    trigger: byCost ? { ...trigger, cost: true } : trigger,
    prices: { ...defaults.prices, ...given(prices) },
    breaker: breaker === false ? false : { ...defaults.breaker, ...given(breaker) },
  } as Settings;
}
