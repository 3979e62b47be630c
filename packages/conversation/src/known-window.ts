import type { ManagerOptions } from '@ctx/core';
import { presetFor } from '@ctx/presets';

/**
 * The settings with the window that a framework knows its model to have, in tokens. It counts only where neither the settings nor the table of
 * models say one: what they say is what somebody decided or checked.
 */
export function withKnownWindow(
  config: ManagerOptions['config'],
  window: number | undefined,
  id: Pick<ManagerOptions, 'provider' | 'model'>,
): ManagerOptions['config'] {
  if (window === undefined || config?.contextWindow !== undefined || !isWindow(window)) return config;
  const { contextWindow, warnings } = presetFor(id);
  return contextWindow !== undefined && warnings === undefined
    ? config
    : { ...config, contextWindow: window };
}

function isWindow(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens > 0;
}
