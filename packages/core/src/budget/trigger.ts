import * as z from 'zod/mini';
import { above0, flag, type Given, shareOf, takes } from '../base/value-forms.js';

const conditions = {
  fraction: z.optional(shareOf('the window')),
  tokens: z.optional(above0('tokens')),
  allowedTokens: z.optional(flag),
  window: z.optional(flag),
  cost: z.optional(flag),
};

/** When to compress: as soon as one of the given conditions holds. */
export interface Trigger {
  /** The request fills at least this share of the window, 0–1. */
  fraction?: Given<typeof conditions>['fraction'];
  /** The request has at least this number of tokens. */
  tokens?: Given<typeof conditions>['tokens'];
  /** True: the request has more tokens than nine tenths of the window minus the reserve; never if nothing is left after that. */
  allowedTokens?: Given<typeof conditions>['allowedTokens'];
  /**
   * True: the request and its answer, the reserve, may not fit the window: it is larger than 0.97 of what the reserve leaves, or 0.9 as
   * long as tokens are only estimated.
   */
  window?: Given<typeof conditions>['window'];
  /**
   * True: since the last compression, requests have paid five times the price of writing the target again, just for reading tokens above
   * the target, at `prices`; as many to come would pay it once more. In a window of 400,000 tokens and more the target is then that of one
   * of 250,000. Also true: the provider's cache holds nothing of the conversation, so that a rewrite is free, it fills a third of the window,
   * and a quarter of it can leave.
   */
  cost?: Given<typeof conditions>['cost'];
}

export const triggerSchema: z.ZodMiniType<Trigger, Trigger> = takes(
  `an object with one or more of ${Object.keys(conditions).join(', ')}`,
  z
    .strictObject(conditions)
    .check(z.refine((trigger) => Object.keys(trigger).length > 0, 'needs at least one condition')),
);
export interface Measure {
  /** Tokens of the next request: system prompt, messages and tool definitions; calibrated if possible. */
  readonly tokens: number;
  /** Tokens. */
  readonly contextWindow: number;
  /** The window minus a margin of a tenth and the reserve for the answer. */
  readonly allowedTokens: number;
  /** The most tokens of a request that surely fits the window together with the reserve. @default the window */
  readonly fittingTokens?: number;
  /** Cost of reading more than the target since the last compression, relative to the cost at which `cost` fires (at 1). */
  readonly overpaid?: number;
  /** Why the provider's cache holds nothing of the conversation. @default it may hold it */
  readonly cold?: string | undefined;
  /** Tokens that a compression for the cost gets down to. */
  readonly cheapTarget?: number;
}

/** Tokens kept free for the answer if nothing else is said. */
export const defaultReserve = 4096;

/**
 * The most a request may hold: nine tenths of the window minus the reserve for the answer, but at least 0.
 * @param reserve tokens; default 4096
 */
export function allowedTokens(contextWindow: number, reserve = defaultReserve): number {
  return Math.max(0, Math.floor(contextWindow * 0.9) - reserve);
}

/** How far a count may be off, as a share: once it is exact or has learned from reported usage, and before. */
const knownDoubt = 0.03;
const estimatedDoubt = 0.1;

/**
 * The most tokens of a request that surely fits the window together with the reserve.
 * @param reserve tokens; default 4096
 */
export function fittingTokens(
  contextWindow: number,
  {
    reserve = defaultReserve,
    isEstimated,
  }: { readonly reserve?: number | undefined; readonly isEstimated: boolean },
): number {
  const doubt = isEstimated ? estimatedDoubt : knownDoubt;
  return Math.max(0, Math.floor((contextWindow - reserve) * (1 - doubt)));
}

/** The condition of a trigger that holds now, in words; undefined if none does. `allowedTokens` never fires if nothing is allowed. */
export function firedBy(trigger: Trigger, measure: Measure): string | undefined {
  const { tokens, contextWindow } = measure;
  if (trigger.fraction !== undefined && tokens >= trigger.fraction * contextWindow) {
    return `${tokens} tokens are at least ${trigger.fraction} of the window of ${contextWindow}`;
  }
  if (trigger.tokens !== undefined && tokens >= trigger.tokens)
    return `${tokens} tokens are at least ${trigger.tokens}`;
  if (trigger.allowedTokens === true && measure.allowedTokens > 0 && tokens > measure.allowedTokens) {
    return `${tokens} tokens are more than the ${measure.allowedTokens} allowed`;
  }
  if (trigger.window === true && tokens > (measure.fittingTokens ?? contextWindow)) {
    return `${tokens} tokens and an answer may not fit the window of ${contextWindow}`;
  }
  if (trigger.cost === true && (measure.overpaid ?? 0) >= 1) {
    return `reading ${tokens} tokens again and again has cost what a compression costs`;
  }
  if (trigger.cost === true && measure.cold !== undefined && isWorthwhile(measure)) return measure.cold;
  return undefined;
}

/** A free rewrite still loses content: it must be a conversation of some size, and get smaller by more than a little. */
const coldShare = 1 / 3;
const coldReduction = 1 / 4;

/** Whether a free rewrite is worth what it loses. */
export function isWorthwhile({ tokens, contextWindow, cheapTarget = 0 }: Measure): boolean {
  return tokens >= coldShare * contextWindow && cheapTarget <= (1 - coldReduction) * tokens;
}

/** The fewest tokens at which a trigger can fire by tokens alone; undefined if it has no condition for them. */
export function triggerTokens(
  trigger: Trigger,
  { contextWindow, allowedTokens, fittingTokens = contextWindow }: Omit<Measure, 'tokens'>,
): number | undefined {
  const least = [
    trigger.fraction === undefined ? undefined : trigger.fraction * contextWindow,
    trigger.tokens,
    trigger.allowedTokens === true && allowedTokens > 0 ? allowedTokens + 1 : undefined,
    trigger.window === true ? fittingTokens + 1 : undefined,
  ].filter((tokens) => tokens !== undefined);
  return least.length === 0 ? undefined : Math.min(...least);
}

/**
 * The threshold of a profile, in percent of the window. The profile's own counts if it is 5–100. Otherwise the global
 * one is used: if the profile's is -1, missing or invalid. An invalid one gives a warning.
 */
export function effectiveThreshold(
  globalPercent: number,
  profile: string | undefined,
  thresholds: Readonly<Record<string, number>> = {},
): { readonly percent: number; readonly warning?: string } {
  if (profile === undefined || !Object.hasOwn(thresholds, profile)) return { percent: globalPercent };
  const own = thresholds[profile] as number;
  if (own === -1) return { percent: globalPercent };
  if (own >= 5 && own <= 100) return { percent: own };
  return {
    percent: globalPercent,
    warning: `The threshold ${own} of profile "${profile}" is not between 5 and 100; ${globalPercent} is used instead.`,
  };
}
