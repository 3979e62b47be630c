import type { LevelThresholds } from './level.js';
import {
  allowedTokens,
  effectiveThreshold,
  fractionOf,
  type Trigger,
  triggerTokens,
  withFraction,
} from './trigger.js';

/** The size of a window and where compression starts and ends, in the provider's tokens. */
export interface Budget {
  readonly contextWindow: number;
  readonly allowedTokens: number;
  readonly trigger: Trigger;
  /** Tokens that a compression gets the request down to; always fewer than those at which the trigger can fire. */
  readonly target: number;
  readonly thresholds: LevelThresholds;
  /** Says that a profile's threshold could not be used. */
  readonly warning: string | undefined;
}

/** The settings that a budget depends on. */
export interface BudgetSettings {
  readonly contextWindow: number;
  /** Tokens left free for the answer. */
  readonly reserve?: number | undefined;
  readonly trigger: Trigger;
  readonly target?:
    | {
        readonly fraction?: number | undefined;
        readonly tokens?: number | undefined;
        readonly atLeast?: number | undefined;
      }
    | undefined;
  readonly warn?: number | undefined;
  readonly profile?: string | undefined;
  readonly profileThresholds: Readonly<{ [profile: string]: number }>;
}

/** Makes the budget that the settings describe. The threshold of the profile replaces the trigger's fractions. */
export function budgetOf(settings: BudgetSettings): Budget {
  const { contextWindow, reserve, profile, profileThresholds } = settings;
  const allowed = allowedTokens(contextWindow, reserve);
  const percent = Number((100 * (fractionOf(settings.trigger) ?? 1)).toPrecision(12));
  const threshold = effectiveThreshold(percent, profile, profileThresholds);
  const isOwn = profile !== undefined && profileThresholds[profile] === threshold.percent;
  const trigger = isOwn ? withFraction(settings.trigger, threshold.percent / 100) : settings.trigger;
  const start = triggerTokens(trigger, { contextWindow, allowedTokens: allowed }) ?? contextWindow;
  const { fraction = 0.5, atLeast = 0, tokens = fraction * contextWindow } = settings.target ?? {};
  const aim = Math.max(tokens, Math.min(atLeast, contextWindow / 2));
  const compress = Math.min(trigger.fraction ?? 0.9, start / contextWindow);
  return {
    contextWindow,
    allowedTokens: allowed,
    trigger,
    target: Math.floor(Math.min(aim, start * (settings.target === undefined ? 0.7 : 0.95))),
    thresholds: { compress, warn: warnFrom(compress, settings.warn, trigger.fraction) },
    warning: threshold.warning,
  };
}

/**
 * The share at which the warning starts: as configured. If compression starts at or before it, the warning keeps its
 * configured distance from the compression.
 */
function warnFrom(compress: number, warn: number | undefined, fraction = compress): number {
  if (warn !== undefined && warn < compress) return warn;
  return Math.max(0, compress - (warn === undefined ? 0.1 : Math.max(0, fraction - warn)));
}
