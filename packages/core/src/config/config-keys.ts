import type { Trigger } from '../budget/trigger.js';
import type { ModelName, ProviderName, StrategyName, StrategyOptions } from './names.js';

/** Settings that are allowed both in a rule and at the top level of a configuration. */
interface ModelSettings {
  /** False: neither checks nor `recover` compress; `compress()` by hand still does. @default true */
  enabled?: boolean | undefined;
  /** The model's hard input limit. Tokens. @default 128000; the presets know many models */
  contextWindow?: number | undefined;
  /** Kept free for the answer. Tokens. @default 4096; the presets keep what the model may answer */
  reserve?: number | undefined;
  /** When to compress: as soon as one of its conditions holds. @default { fraction: 0.75, allowedTokens: true } */
  trigger?: Trigger | undefined;
  /**
   * What a compression gets the request down to; must be below the trigger. A share of the window (0–1), a share of the room that is left
   * beside what can't leave, or tokens.
   * @default half of the window, or seven tenths of where the trigger starts if that is less
   */
  target?:
    | {
        /** Share of the window, 0–1. */
        fraction?: number | undefined;
        /**
         * Share, 0–1, of what may leave, on top of what can't: of the tokens between system prompt, tools, pinned messages, the task and
         * what the model has not read, and where the trigger starts.
         */
        room?: number | undefined;
        /** Tokens. */
        tokens?: number | undefined;
        /** Tokens that a share gives at least, but no more than half of what it is a share of. */
        atLeast?: number | undefined;
      }
    | undefined;
  /** Share of the window (0–1) where level WARNING starts. @default a tenth before the trigger */
  warn?: number | undefined;
  /** The least number of messages that stay, whatever the strategy. @default 4 */
  minMessagesToKeep?: number | undefined;
  /** Strategies that run in this order until the target is met. @default none; those of the presets depend on the model */
  pipeline?: StrategyName[] | undefined;
  /**
   * Strategies that run before every send, even below the trigger, if together they free `atLeast` tokens. Each run invalidates the prompt
   * cache. @default false
   */
  beforeSend?: false | { pipeline: StrategyName[]; atLeast?: number | undefined } | undefined;
  /** Options by the name of the strategy; the README of each strategy lists them. @default the strategies' own */
  options?: StrategyOptions | undefined;
  /** Encoding of the tokenizer. @default o200k_base */
  encoding?: 'o200k_base' | 'cl100k_base' | undefined;
  /** What the provider adds to each message and to a conversation. Tokens. @default 3 and 3 */
  overhead?: { message: number; conversation: number } | undefined;
  /**
   * The provider's expected figure until usage is reported: `offset + factor · tokens + perToolCall · calls`, and `withTools` if the
   * request has tools or calls.
   * @default 0, 1, 0 and 0
   */
  prior?: { offset: number; factor: number; perToolCall: number; withTools?: number | undefined } | undefined;
  /** Price of a token read from the prompt cache, or written into it; an ordinary input token costs 1. @default 0.1 and 1.25 */
  prices?: { cacheRead?: number | undefined; cacheWrite?: number | undefined } | undefined;
  /** The first message after the system prompt must be the user's. @default false */
  leadingUser?: boolean | undefined;
  /**
   * Which of the assistant's reasoning is sent back: all, only that which still follows the prefix it was written for, or none.
   * @default kept
   */
  reasoning?: 'bound' | 'kept' | 'dropped' | undefined;
  /**
   * The name of the tool that gives back what left the view. Its results leave first in the next compression, and are not archived
   * again. @default none; the presets say `recall`
   */
  recallTool?: string | undefined;
}

/** Settings for all models that match. */
export interface Rule extends ModelSettings {
  /** The provider it is for; `*` stands for any text. @default any */
  provider?: ProviderName | undefined;
  /** The model it is for; `*` stands for any text. @default any */
  model?: ModelName | undefined;
}

/** A configuration file. Every key is optional. */
export interface Config extends ModelSettings {
  /** The JSON schema, for editors; ignored. */
  $schema?: string | undefined;
  /** Settings for some models; the first rule that matches provider and model wins. @default none */
  rules?: Rule[] | undefined;
  /** A way of working, by the name that a preset has for it. @default the preset's own */
  profile?: string | undefined;
  /** Percent of the window by profile, 5–100: replaces the trigger's fraction. -1 keeps the trigger's own. @default none */
  profileThresholds?: Record<string, number> | undefined;
  /** `by-length`: a user's short message is LOW, too. @default default */
  priorities?: 'default' | 'by-length' | 'cipher' | undefined;
  /** A line in the place of dropped messages. In a text of your own, `{count}` is their number, and `{handles}` says under which handles
   * an archive has them. @default false */
  marker?: boolean | string | undefined;
  /**
   * True: below level HARD a check that finds the trigger fired starts the compression and returns at once. What it did
   * is told by `compression-end` or `compression-skip`. @default false
   */
  background?: boolean | undefined;
  /** Least time between two checks, in ms; not before a send, nor at level HARD and above. @default 5000 */
  throttleMs?: number | undefined;
  /** Limit for a whole stage, with the work of its ports, in ms. @default 120000 */
  timeoutMs?: number | undefined;
  /** Records in `manager.history`. @default 10 */
  historySize?: number | undefined;
  /** After several compressions in a row that free too little, checks are skipped for a while; false turns this off. */
  breaker?:
    | false
    | {
        /** Compressions in a row. @default 3 */
        strikes?: number | undefined;
        /** Share that a compression has to free, 0–1. @default 0.05 */
        minReduction?: number | undefined;
        /** Ms. @default 60000 */
        coolDownMs?: number | undefined;
      }
    | undefined;
  /** Seed of `context.random`. @default 1 */
  seed?: number | undefined;
}
