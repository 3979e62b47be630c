import { CompressionLevel } from '../base/compression-level.js';
import {
  allowedTokens,
  defaultReserve,
  effectiveThreshold,
  fittingTokens,
  type Trigger,
  triggerTokens,
} from './trigger.js';

export interface BudgetSettings {
  readonly contextWindow: number;
  readonly reserve?: number | undefined;
  readonly trigger: Trigger;
  readonly target?:
    | Partial<Record<'fraction' | 'room' | 'tokens' | 'atLeast', number | undefined>>
    | undefined;
  readonly warn?: number | undefined;
  readonly profile?: string | undefined;
  readonly profileThresholds: Readonly<{ [profile: string]: number }>;
}

/** The share of the reserve that stays free before what must stay word for word is cut. */
const leastReserve = 0.2;
/** The share of the window that stays free at most: a reserve may be larger than a small window. */
const mostReserved = 0.1;

export type Budget = ReturnType<typeof budgetOf>;

/**
 * The size of a window and where compression starts and ends, in the provider's tokens. The threshold of the profile replaces the trigger's
 * fraction.
 */
export function budgetOf(settings: BudgetSettings) {
  const { contextWindow, reserve = defaultReserve, profile, profileThresholds } = settings;
  const allowed = allowedTokens(contextWindow, reserve);
  const percent = Number((100 * (settings.trigger.fraction ?? 1)).toPrecision(12));
  const threshold = effectiveThreshold(percent, profile, profileThresholds);
  const isOwn = profile !== undefined && profileThresholds[profile] === threshold.percent;
  const trigger = { ...settings.trigger, ...(isOwn && { fraction: threshold.percent / 100 }) };
  const fitting = (isEstimated: boolean) => fittingTokens(contextWindow, { reserve, isEstimated });
  const sizes = { contextWindow, allowedTokens: allowed, fittingTokens: fitting(false) };
  const start = triggerTokens(trigger, sizes) ?? contextWindow;
  const compress = Math.min(trigger.fraction ?? (trigger.window === true ? 1 : 0.9), start / contextWindow);
  const isLarge = contextWindow >= largeWindow && trigger.cost === true;
  const mostRoom = isLarge ? paidRoom : contextWindow;
  return {
    contextWindow,
    allowedTokens: allowed,
    /** The most tokens of a request that surely fits the window together with its answer. */
    fittingTokens: fitting,
    trigger,
    start,
    /** The most tokens a request may have before what must stay word for word is cut. */
    limit: contextWindow - Math.floor(Math.min(reserve * leastReserve, contextWindow * mostReserved)),
    /** Tokens of a request that is near enough to a target: the next compression is still some requests away. */
    enoughFor(target: number) {
      const room = Math.max(Math.min(start - target, mostRoom), leastRoom * contextWindow);
      return Math.max(target, Math.min(contextWindow, target + nearEnough * room));
    },
    /**
     * Tokens that a compression gets a request down to; fewer than those at which the trigger can fire, if what can't be removed allows that.
     * @param staying tokens of the request that can't be removed
     * @param forCost true if cost is the reason: in a large window it goes lower
     */
    targetFor: (staying: number, forCost = false) =>
      Math.floor(targetOf(settings, start, staying, forCost ? mostRoom : contextWindow)),
    thresholds: { compress, warn: warnFrom(compress, settings.warn, trigger.fraction) },
    warning: threshold.warning,
  };
}

/**
 * From this window on, in tokens, a compression for the cost takes a share of no more room than this: it loses what one in a window of 250,000
 * tokens loses anyway.
 */
const largeWindow = 400_000;
const paidRoom = 250_000;

/** A compression goes down to at most this share of where the trigger starts, by default and if a target is configured. */
const mostByDefault = 0.7;
const most = 0.95;

/** The share of the window that is left for the rest, however much must stay: what was done and what is wanted is said in it. */
const leastRoom = 0.08;

/** The share of the way back to where the trigger starts that a stage may miss its target by. */
const nearEnough = 0.5;

function targetOf(
  { target, contextWindow }: BudgetSettings,
  start: number,
  staying: number,
  mostRoom: number,
): number {
  if (target === undefined) return Math.min(contextWindow / 2, start * mostByDefault);
  const { room, fraction = 0.5, atLeast = 0, tokens = fraction * contextWindow } = target;
  if (room === undefined)
    return Math.min(Math.max(tokens, Math.min(atLeast, contextWindow / 2)), start * most);
  const free = Math.max(Math.min(start - staying, mostRoom), leastRoom * contextWindow);
  return staying + Math.min(Math.max(room * free, Math.min(atLeast, free / 2)), free * most);
}

/**
 * The share at which the warning starts: as configured. If compression starts at or before it, the warning keeps its
 * configured distance from the compression.
 */
function warnFrom(compress: number, warn: number | undefined, fraction = compress): number {
  if (warn !== undefined && warn < compress) return warn;
  return Math.max(0, compress - (warn === undefined ? 0.1 : Math.max(0, fraction - warn)));
}

/** The level at `tokens` of `windowTokens`. HARD starts at 0.95, EMERGENCY at 1. If `compress` is 0.95 or more, there is no SOFT. */
export function levelOf(
  tokens: number,
  windowTokens: number,
  { warn, compress }: Budget['thresholds'],
): CompressionLevel {
  if (tokens < warn * windowTokens) return CompressionLevel.NONE;
  if (tokens < compress * windowTokens) return CompressionLevel.WARNING;
  if (tokens < 0.95 * windowTokens) return CompressionLevel.SOFT;
  if (tokens < windowTokens) return CompressionLevel.HARD;
  return CompressionLevel.EMERGENCY;
}
