import type { Settings } from '@ctx/core';
import { allowedTokens, effectiveThreshold } from '@ctx/core';
import { firedBy } from '@ctx/core/kit';
import { type Keys, refuseUnknown } from './option-keys.js';

/** When to manage a context, in the terms of Roo Code. */
export interface ContextThreshold {
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens reserved for the answer. @default 4096 */
  readonly maxTokens?: number | null | undefined;
  /** Percent of the window. @default 75 */
  readonly autoCondenseContextPercent?: number | undefined;
  /** Percent by profile: 5–100, or -1 for the one above. */
  readonly profileThresholds?: Readonly<Record<string, number>> | undefined;
  readonly currentProfileId?: string | undefined;
  /** False: nothing is summarised; only what exceeds the allowed tokens is truncated. @default true */
  readonly autoCondenseContext?: boolean | undefined;
}

export const thresholdKeys: Keys<ContextThreshold> = {
  contextWindow: true,
  maxTokens: true,
  autoCondenseContextPercent: true,
  profileThresholds: true,
  currentProfileId: true,
  autoCondenseContext: true,
};

/**
 * True if `manageContext` would compress at `totalTokens` (system prompt, messages and tools). Pure.
 * @throws ConfigError `config-invalid` for an option that it does not take
 */
export function willManageContext(options: ContextThreshold & { readonly totalTokens: number }): boolean {
  refuseUnknown(options, { ...thresholdKeys, totalTokens: true }, 'willManageContext');
  const { totalTokens, ...threshold } = options;
  const { contextWindow, maxTokens } = threshold;
  const measure = {
    tokens: totalTokens,
    messages: 0,
    contextWindow,
    allowedTokens: allowedTokens(contextWindow, maxTokens ?? undefined),
  };
  return firedBy(triggerOf(threshold), measure) !== undefined;
}

export function triggerOf(threshold: ContextThreshold): Settings['trigger'] {
  if (threshold.autoCondenseContext === false) return { allowedTokens: true };
  return { fraction: percentOf(threshold) / 100, allowedTokens: true };
}

function percentOf({
  autoCondenseContextPercent = 75,
  currentProfileId,
  profileThresholds,
}: ContextThreshold): number {
  return effectiveThreshold(autoCondenseContextPercent, currentProfileId, profileThresholds).percent;
}
