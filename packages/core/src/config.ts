import { z } from 'zod';
import { ConfigError } from './errors.js';
import { type ModelId, matches } from './match.js';
import { nearest } from './nearest.js';
import type { CachePrices } from './request-cost.js';
import type { BreakerRules } from './strike-breaker.js';
import type { Trigger } from './trigger.js';

const share = z.number().gt(0).max(1);
const tokens = z.int().positive();
const price = z.number().min(0).max(1_000_000);

const triggerSchema: z.ZodType<Trigger, Trigger> = z.lazy(() =>
  z
    .strictObject({
      fraction: share.optional(),
      tokens: tokens.optional(),
      messages: z.int().positive().optional(),
      allowedTokens: z.boolean().optional(),
      cost: z.boolean().optional(),
      any: z.array(triggerSchema).min(1).optional(),
      all: z.array(triggerSchema).min(1).optional(),
    })
    .refine((trigger) => Object.keys(trigger).length > 0, 'needs at least one condition'),
);

/** What a rule may set, and what stands at the top level of a configuration. All optional; see `defaults`. */
const settings = {
  enabled: z.boolean().describe('False: nothing is ever compressed.').optional(),
  contextWindow: tokens.describe("The model's hard input limit, in tokens.").optional(),
  reserve: z.int().min(0).describe('Tokens kept free for the answer.').optional(),
  trigger: triggerSchema.optional(),
  target: z
    .strictObject({ fraction: share.optional(), tokens: tokens.optional(), atLeast: tokens.optional() })
    .refine(
      ({ fraction, tokens: given }) => (fraction === undefined) !== (given === undefined),
      'takes either fraction or tokens',
    )
    .refine(
      ({ fraction, atLeast }) => atLeast === undefined || fraction !== undefined,
      'atLeast goes with fraction',
    )
    .optional(),
  warn: share.describe('Share of the window where level WARNING starts.').optional(),
  minMessagesToKeep: z.int().min(1).optional(),
  pipeline: z.array(z.string().min(1)).min(1).describe('Names of strategies, in order.').optional(),
  options: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .describe('Options by strategy name.')
    .optional(),
  encoding: z.enum(['o200k_base', 'cl100k_base']).optional(),
  overhead: z.strictObject({ message: z.int().min(0), conversation: z.int().min(0) }).optional(),
  prior: z
    .strictObject({ offset: z.number(), factor: z.number().positive(), perToolCall: z.number() })
    .describe("What the provider's figures are expected to be, before any usage is reported.")
    .optional(),
  prices: z
    .strictObject({ cacheRead: price.optional(), cacheWrite: price.optional() })
    .describe(
      'What a token costs that is read from the prompt cache, or written into it, relative to one of the input otherwise.',
    )
    .optional(),
  leadingUser: z
    .boolean()
    .describe('The first message after the system prompt must be of the user.')
    .optional(),
  reasoning: z
    .enum(['bound', 'kept', 'dropped'])
    .describe(
      "Which of the assistant's reasoning is sent back: what is bound to an unchanged prefix, all, or none.",
    )
    .optional(),
};

const ruleSchema = z.strictObject({
  provider: z.string().optional(),
  model: z.string().describe('An id, in which * stands for anything.').optional(),
  ...settings,
});

const configSchema = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
  rules: z.array(ruleSchema).describe('The first that matches provider and model wins.').optional(),
  profile: z.string().optional(),
  profileThresholds: z
    .record(z.string(), z.number())
    .describe('Percent of the window by profile.')
    .optional(),
  priorities: z.enum(['default', 'cipher']).optional(),
  marker: z
    .union([z.boolean(), z.string().min(1)])
    .describe('A line where messages were dropped; in a text of your own {count} is their number.')
    .optional(),
  throttleMs: z.number().min(0).optional(),
  timeoutMs: z.number().positive().max(2_147_483_647).optional(),
  historySize: z.int().min(1).optional(),
  breaker: z
    .union([
      z.literal(false),
      z.strictObject({
        strikes: z.int().min(1).default(3),
        minReduction: z.number().min(0).max(1).default(0.05),
        coolDownMs: z.number().min(0).default(60_000),
      }),
    ])
    .describe('After so many compressions that free too little, checks rest.')
    .optional(),
  seed: z.int().optional(),
});

/** A configuration file; every key is optional. */
export type Config = z.input<typeof configSchema>;
/** Settings for the models that match. */
export type Rule = z.input<typeof ruleSchema>;

/** What holds where neither configuration nor presets say otherwise. Tokens, ms, and shares of the window (0–1). */
const defaults = {
  enabled: true,
  contextWindow: 8192,
  reserve: 4096,
  trigger: { fraction: 0.75, allowedTokens: true } as Trigger,
  minMessagesToKeep: 4,
  pipeline: [] as string[],
  options: {} as Record<string, Record<string, unknown>>,
  encoding: 'o200k_base' as const,
  overhead: { message: 3, conversation: 3 },
  prior: { offset: 0, factor: 1, perToolCall: 0 },
  prices: { cacheRead: 0.1, cacheWrite: 1.25 } as CachePrices,
  leadingUser: false,
  reasoning: 'kept' as const,
  priorities: 'default' as const,
  marker: false as boolean | string,
  throttleMs: 5000,
  timeoutMs: 120_000,
  historySize: 10,
  breaker: { strikes: 3, minReduction: 0.05, coolDownMs: 60_000 } as BreakerRules | false,
  seed: 1,
  profileThresholds: {} as Record<string, number>,
};

/** The settings in force for one model. */
export type Settings = Omit<typeof defaults, 'reasoning'> & {
  /** Missing: half of the window, or seven tenths of where the trigger starts if that is less. */
  readonly target?: Config['target'];
  /** Missing: a tenth of the window before the trigger. */
  readonly warn?: number | undefined;
  readonly profile?: string | undefined;
  readonly priorities: 'default' | 'cipher';
  readonly reasoning: 'bound' | 'kept' | 'dropped';
  readonly encoding: 'o200k_base' | 'cl100k_base';
};

/** Gives a configuration file its type. */
export function defineConfig(config: Config): Config {
  return config;
}

/**
 * Checks a configuration.
 * @throws ConfigError `config-invalid`, which names the key and, for an unknown one, the nearest that exists
 */
export function parseConfig(config: unknown): Config {
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) throw invalid(parsed.error.issues[0] as z.core.$ZodIssue, config);
  const checked = config as Config;
  checkOrder('', checked);
  checked.rules?.forEach((rule, index) => {
    checkOrder(`rules[${index}].`, over(checked, rule));
  });
  return checked;
}

/**
 * The settings for a model: defaults, the preset for it, the configuration's top level, its first
 * rule that matches, each over the one before; strategy options are merged by name. A layer that sets
 * the trigger also replaces the target and the warning that were made for another one. Where the configuration gives prices and no
 * trigger, the cost triggers too.
 */
export function settingsFor(id: ModelId, config: Config, preset?: Rule): Settings {
  const { rules = [], ...top } = config;
  const layers = [preset, top, rules.find((rule) => matches(rule, id))];
  const result = layers.reduce((below: Layer, layer) => over(below, layer ?? {}), { ...defaults });
  checkOrder('', result);
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

type Layer = Omit<Config, 'rules'>;

function over(below: Layer, layer: Layer): Layer {
  const { target, warn, ...kept } = below;
  return {
    ...(layer.trigger === undefined ? below : kept),
    ...given(layer),
    options: mergeOptions(below.options, layer.options),
  };
}

function given<Fields extends object>(fields: Fields = {} as Fields): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<Fields>;
}

/** Made by `fromEntries`, for which `__proto__` is a name like any other. */
function mergeOptions(below: Config['options'] = {}, above: Config['options'] = {}): Settings['options'] {
  const merged = new Map(Object.entries(below));
  for (const [name, options] of Object.entries(above)) {
    merged.set(name, { ...merged.get(name), ...options });
  }
  return Object.fromEntries(merged);
}

/** The JSON schema of a configuration file, for editors. */
export function configJsonSchema(): object {
  return z.toJSONSchema(configSchema, { io: 'input', target: 'draft-7' });
}

function checkOrder(
  where: string,
  { trigger, target, warn }: Pick<Config, 'trigger' | 'target' | 'warn'>,
): void {
  for (const unit of ['fraction', 'tokens'] as const) {
    const start = trigger?.[unit];
    const end = target?.[unit];
    if (start === undefined || end === undefined || end < start) continue;
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'The target must be below the trigger, or compression never rests',
      place: `${where}target.${unit}`,
      value: end,
      remedy: `Set it below trigger.${unit}, which is ${start}.`,
    });
  }
  if (warn !== undefined && trigger?.fraction !== undefined && warn > trigger.fraction) {
    throw new ConfigError({
      code: 'config-invalid',
      problem: 'The warning must come before the compression',
      place: `${where}warn`,
      value: warn,
      remedy: `Set it to trigger.fraction, which is ${trigger.fraction}, or less.`,
    });
  }
}

const knownKeys = [
  ...Object.keys(configSchema.shape),
  ...Object.keys(ruleSchema.shape),
  ...['fraction', 'tokens', 'messages', 'allowedTokens', 'cost', 'any', 'all', 'atLeast'],
  ...['message', 'conversation', 'offset', 'factor', 'perToolCall'],
  ...['cacheRead', 'cacheWrite'],
];

function invalid(issue: z.core.$ZodIssue, config: unknown): ConfigError {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  const place = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : String(key)))
    .join('.')
    .replaceAll('.[', '[');
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key],
    config,
  );
  const guess = unknown === undefined ? undefined : nearest(unknown, knownKeys);
  return new ConfigError({
    code: 'config-invalid',
    problem:
      unknown === undefined ? `The configuration is invalid: ${issue.message}` : 'There is no such key',
    place: place === '' ? 'config' : place,
    value,
    remedy:
      guess === undefined
        ? 'See docs/configuration.md for the keys and their ranges.'
        : `Did you mean "${guess}"?`,
  });
}
