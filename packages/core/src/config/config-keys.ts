import * as z from 'zod/mini';
import {
  above0,
  atLeast,
  type Filled,
  falseOr,
  fields,
  flag,
  type Given,
  oneOf,
  shareOf,
  takes,
} from '../base/value-forms.js';
import { pricesSchema } from '../budget/request-cost.js';
import { defaultReserve, triggerSchema } from '../budget/trigger.js';
import { priorSchema } from '../count/coefficients.js';
import { type ImageCost, usualImageCost } from '../count/image-cost.js';
import { priorityPresets } from '../view/priority.js';
import type { ModelName, ProviderName, StrategyName, StrategyOptions } from './match.js';

const positive = (what: string) => takes(what, z.number().check(z.positive()));
const count = takes('a number of tokens', z.number().check(z.nonnegative()));
const figures = {
  tile: positive('a number of pixels above 0'),
  perTile: count,
  base: z.optional(count),
  longEdge: z.optional(positive('a number of pixels above 0')),
  shortEdge: z.optional(positive('a number of pixels above 0')),
  mostTiles: z.optional(positive('a number above 0')),
};

const imageCostSchema: z.ZodMiniType<ImageCost, ImageCost> = fields(figures);

// A key's check, words and default are written once, here or in the room that works with it; types, remedies, the JSON schema and the tables
// for users are made of them. What it is for is at the key of an interface, as editors show no comment through a mapped type.

// Interfaces, because packages add to these names after the types of core are written.
interface Strategy extends z.ZodMiniType<StrategyName, StrategyName> {}
interface Provider extends z.ZodMiniType<ProviderName, ProviderName> {}
interface Model extends z.ZodMiniType<ModelName, ModelName> {}

const name: Strategy = z.string().check(z.minLength(1));
const names = takes('a list of one or more names of strategies', z.array(name).check(z.minLength(1)));
const options = z.record(z.string(), z.record(z.string(), z.unknown()));

const measures = {
  fraction: z.optional(shareOf('the window')),
  room: z.optional(shareOf('what may leave')),
  tokens: z.optional(above0('tokens')),
  atLeast: z.optional(above0('tokens')),
};
interface Target {
  /** Share of the window, 0–1. */
  fraction?: Given<typeof measures>['fraction'];
  /**
   * Share, 0–1, of what may be removed, on top of what can't: of the tokens between system prompt, tools, pinned messages, the task and
   * what the model has not read, and where the trigger starts.
   */
  room?: Given<typeof measures>['room'];
  /** Tokens. */
  tokens?: Given<typeof measures>['tokens'];
  /** Tokens that a share gives at least, but no more than half of what it is a share of. */
  atLeast?: Given<typeof measures>['atLeast'];
}
const target: z.ZodMiniType<Target, Target> = takes(
  '{ room }, { fraction } or { tokens }, the first two also with atLeast',
  z.strictObject(measures).check(
    z.refine(
      ({ fraction, room, tokens }) =>
        [fraction, room, tokens].filter((one) => one !== undefined).length === 1,
      'takes either fraction, room or tokens',
    ),
    z.refine(
      ({ tokens, atLeast: least }) => least === undefined || tokens === undefined,
      'atLeast goes with fraction or room',
    ),
  ),
);

/** Tokens. A result as large is a tenth of many windows; an excerpt is a page or two. */
export const defaultArrivals = { over: 10_000, to: 2_500 };
const arrival = { over: z.optional(above0('tokens')), to: z.optional(above0('tokens')) };
interface Arrival {
  /** Results with more tokens are sent as excerpts. @default 10,000 */
  over?: Given<typeof arrival>['over'];
  /** Tokens of an excerpt. @default 2,500 */
  to?: Given<typeof arrival>['to'];
}
interface Arrivals extends Arrival {
  /** Other figures for some tools, by name; false: their results stay whole. @default none */
  tools?: Record<string, false | Arrival> | undefined;
}
const ofTool: z.ZodMiniType<false | Arrival, false | Arrival> = falseOr(fields(arrival));
const arrivals: z.ZodMiniType<Arrivals, Arrivals> = fields({
  ...arrival,
  tools: z.optional(
    takes('an object with false or { over, to } for each tool', z.record(z.string(), ofTool)),
  ),
});

const settings = {
  enabled: z._default(flag, true),
  contextWindow: z._default(above0('tokens'), 128_000),
  reserve: z._default(atLeast(0, 'tokens'), defaultReserve),
  trigger: z._default(triggerSchema, { fraction: 0.75, allowedTokens: true }),
  target: z.optional(target),
  warn: z.optional(shareOf('the window')),
  minMessagesToKeep: z._default(atLeast(1, 'messages'), 4),
  pipeline: z._default(names, []),
  beforeSend: z._default(
    falseOr(fields({ pipeline: names, atLeast: z.optional(atLeast(0, 'tokens')) })),
    false,
  ),
  arrivals: z._default(falseOr(arrivals), false),
  options: z._default(
    takes(
      'an object with an object of options for each strategy: { [name]: { … } }',
      options as unknown as z.ZodMiniType<z.output<typeof options>, StrategyOptions>,
    ),
    {},
  ),
  encoding: z._default(oneOf('o200k_base', 'cl100k_base'), 'o200k_base'),
  overhead: z._default(fields({ message: atLeast(0, 'tokens'), conversation: atLeast(0, 'tokens') }), {
    message: 3,
    conversation: 3,
  }),
  images: z._default(imageCostSchema, usualImageCost),
  prior: z._default(priorSchema, { offset: 0, factor: 1, perToolCall: 0 }),
  prices: z.prefault(pricesSchema, {}),
  leadingUser: z._default(flag, false),
  reasoning: z._default(oneOf('bound', 'kept', 'dropped'), 'kept'),
  recallTool: z.optional(takes('the name of a tool', z.string().check(z.minLength(1)))),
};

const ruleKeys = {
  provider: z.optional(takes<Provider>('a name, in which * stands for any text', z.string())),
  model: z.optional(takes<Model>('a model id, in which * stands for any text', z.string())),
};

/** Settings that are allowed both in a rule and at the top level of a configuration. */
interface GivenSettings {
  /** False: neither checks nor `recover` compress; `compress()` by hand still does. @default true */
  enabled?: Given<typeof settings>['enabled'];
  /** The model's hard input limit, in tokens. @default 128000; the presets know many models */
  contextWindow?: Given<typeof settings>['contextWindow'];
  /** Kept free for the answer, in tokens. @default 4096; the presets keep what the model may answer */
  reserve?: Given<typeof settings>['reserve'];
  /** When to compress: as soon as one of its conditions holds. @default { fraction: 0.75, allowedTokens: true } */
  trigger?: Given<typeof settings>['trigger'];
  /**
   * What a compression gets the request down to; must be below the trigger. `room` is a share of what may be removed, on top of what can't
   * (system prompt, tools, pinned messages, the task, what the model has not read); `fraction` is a share of the window. With `atLeast` at
   * least this number of tokens, but no more than half of the room or of the window.
   * @default half of the window, or 0.7 of the point where the trigger starts, whichever is less; `{ room: 0.4, atLeast: 10000 }` in the presets
   */
  target?: Given<typeof settings>['target'];
  /** Share of the window (0–1) where level WARNING starts. @default a tenth before the trigger */
  warn?: Given<typeof settings>['warn'];
  /**
   * The least number of messages that stay, with any strategy; if a strategy has an option of this name, the larger number counts.
   * @default 4
   */
  minMessagesToKeep?: Given<typeof settings>['minMessagesToKeep'];
  /** Strategies that run in this order until the target is met. @default none; those of the presets depend on the model */
  pipeline?: Given<typeof settings>['pipeline'];
  /**
   * Strategies that run before every send (`checkAndCompress({ beforeSend: true })`), even below the trigger, if together they free
   * `atLeast` tokens. Each run invalidates the prompt cache. @default false
   */
  beforeSend?: Given<typeof settings>['beforeSend'];
  /**
   * A new tool result of more than `over` tokens is sent as an excerpt of itself of about `to` tokens from its first request on
   * (`checkAndCompress({ beforeSend: true })`): how much there is and its handle, the beginning, the end, and lines that report failures or
   * have what was asked for. It needs an `archive`. What a call asked for by range or limit stays whole. @default false; 10000 and 2500
   */
  arrivals?: Given<typeof settings>['arrivals'];
  /** Options by the name of the strategy; the README of each strategy lists them. @default the strategies' own */
  options?: Given<typeof settings>['options'];
  /** Encoding of the tokenizer. @default o200k_base */
  encoding?: Given<typeof settings>['encoding'];
  /** What the provider adds to each message and to a conversation, in tokens. @default 3 and 3 */
  overhead?: Given<typeof settings>['overhead'];
  /**
   * How the provider counts images: scaled down to `longEdge` and `shortEdge`, in squares of `tile` pixels, each of `perTile` tokens, at most
   * `mostTiles`, and `base` for each image. Reported usage corrects it.
   * @default a token for each 28 × 28 pixels, at most 1600; the presets know the formulas of some providers
   */
  images?: Given<typeof settings>['images'];
  /**
   * The provider's expected figure until usage is reported: `offset + factor · tokens + perToolCall · calls`, and `withTools` if the
   * request has tools or calls, for small tools 350 more than these have; see below.
   * @default 0, 1, 0 and 0
   */
  prior?: Given<typeof settings>['prior'];
  /**
   * The price of a token that is read from the prompt cache, and of a token that is sent for the first time and written into it; an
   * ordinary input token costs 1. @default 0.1 and 1.25
   */
  prices?: Given<typeof settings>['prices'];
  /** The first message after the system prompt must be the user's; otherwise a marker is put there. @default false */
  leadingUser?: Given<typeof settings>['leadingUser'];
  /**
   * Which of the assistant's reasoning is sent back: all (`kept`), only that which still follows the prefix it was written for (`bound`),
   * or none. @default kept
   */
  reasoning?: Given<typeof settings>['reasoning'];
  /**
   * The name of the tool that gives back what was removed from the view. Its results are removed first in the next compression, and are not archived
   * again. @default none; `recall` in the presets
   */
  recallTool?: Given<typeof settings>['recallTool'];
}

/** Settings for all models that match. */
export interface Rule extends GivenSettings {
  /** The provider it is for; `*` stands for any text. @default any */
  provider?: Given<typeof ruleKeys>['provider'];
  /** The model it is for; `*` stands for any text. @default any */
  model?: Given<typeof ruleKeys>['model'];
}
const rule: z.ZodMiniType<Rule, Rule> = z.strictObject({ ...ruleKeys, ...settings });

const topKeys = {
  $schema: z.optional(takes('the URL or path of a JSON schema', z.string())),
  rules: z.optional(takes('a list of objects with provider, model and settings', z.array(rule))),
  profile: z.optional(takes('a name', z.string())),
  profileThresholds: z._default(
    takes('an object with a percentage for each profile: { [name]: 80 }', z.record(z.string(), z.number())),
    {},
  ),
  priorities: z._default(takes('"default" or "by-length"', z.enum(priorityPresets)), 'default'),
  marker: z._default(
    takes(
      'true, false or a text that is not empty',
      z.union([z.boolean(), z.string().check(z.minLength(1))]),
    ),
    false,
  ),
  background: z._default(flag, false),
  throttleMs: z._default(takes('a number of ms, 0 or more', z.number().check(z.minimum(0))), 5000),
  timeoutMs: z._default(
    takes(
      'a number of ms above 0 and up to 2147483647',
      z.number().check(z.positive(), z.maximum(2_147_483_647)),
    ),
    120_000,
  ),
  historySize: z._default(atLeast(1, 'records'), 10),
};

/** A configuration file. Every key is optional. */
export interface Config extends GivenSettings {
  /** The JSON schema, as a URL or a path, for editors; ignored. @default none */
  $schema?: Given<typeof topKeys>['$schema'];
  /** Settings for some models; the first rule that matches provider and model wins. @default none */
  rules?: Given<typeof topKeys>['rules'];
  /**
   * A way of working, by the name that a preset has for it; `profileThresholds` may give any name a threshold.
   * @default the preset's own
   */
  profile?: Given<typeof topKeys>['profile'];
  /**
   * Percent of the window by profile, 5–100: replaces the trigger's fraction. -1 keeps the trigger's own; any other value is ignored, with a
   * warning in `manager.warnings`. @default none
   */
  profileThresholds?: Given<typeof topKeys>['profileThresholds'];
  /** `by-length`: a user's short message is LOW, too. @default default */
  priorities?: Given<typeof topKeys>['priorities'];
  /**
   * A line in the place of dropped messages. In a text of your own, `{count}` is their number, and `{handles}` says under which handles
   * an archive has them, as `#m5-#m40`. @default false
   */
  marker?: Given<typeof topKeys>['marker'];
  /**
   * True: below level HARD a check that finds the trigger fired starts the compression and returns at once. What it did
   * is told by `compression-end` or `compression-skip`. @default false
   */
  background?: Given<typeof topKeys>['background'];
  /** Least time between two checks, in ms; not before a send, nor at level HARD and above. @default 5000 */
  throttleMs?: Given<typeof topKeys>['throttleMs'];
  /**
   * Limit for a whole stage, its plans and the work of its ports, in ms; also for loading the tokenizer.
   * @default 120000
   */
  timeoutMs?: Given<typeof topKeys>['timeoutMs'];
  /** Records in `manager.history`, and entries in `manager.simplifications`. @default 10 */
  historySize?: Given<typeof topKeys>['historySize'];
}

/** The settings in force for one model. */
export interface Settings
  extends Filled<typeof settings>,
    Omit<Filled<typeof topKeys>, '$schema' | 'rules'> {}

export const configSchema: z.ZodMiniType<Config & Settings, Config> = z.strictObject({
  ...settings,
  ...topKeys,
});

/** Used if neither the configuration nor a preset says otherwise. */
export const defaults: Settings = z.parse(configSchema, {});
