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

/** The window of a model in the table of models, in tokens; `undefined` if it is not there. */
export function windowOf(id: Pick<ManagerOptions, 'provider' | 'model'>): number | undefined {
  return presetFor(id).contextWindow;
}

/** The settings with the window that a request sets for itself, in tokens, if they say nothing or more. */
export function withLimit(
  config: ManagerOptions['config'],
  limit: number | undefined,
): ManagerOptions['config'] {
  if (limit === undefined || !isWindow(limit)) return config;
  const { contextWindow = limit } = config ?? {};
  return { ...config, contextWindow: Math.min(contextWindow, limit) };
}

function isWindow(tokens: number): boolean {
  return Number.isSafeInteger(tokens) && tokens > 0;
}

/**
 * The settings with as much room for the answer as the request itself asks for, in tokens, where that is less than the model may need. It counts
 * only where the settings leave both room and window to the table of models.
 */
export function withAnswer(
  config: ManagerOptions['config'],
  tokens: number | undefined,
  id: Pick<ManagerOptions, 'provider' | 'model'>,
): ManagerOptions['config'] {
  if (tokens === undefined || !isWindow(tokens)) return config;
  if (config?.reserve !== undefined || config?.contextWindow !== undefined) return config;
  const { reserve } = presetFor(id);
  return reserve !== undefined && tokens < reserve ? { ...config, reserve: tokens } : config;
}

/**
 * The settings with a window that the provider has named, in tokens, by refusing a larger request. It counts where it is less than what the
 * settings or the table of models say.
 */
export function withLearnedWindow(
  config: ManagerOptions['config'],
  tokens: number | undefined,
  id: Pick<ManagerOptions, 'provider' | 'model'>,
): ManagerOptions['config'] {
  if (tokens === undefined) return config;
  const said = config?.contextWindow ?? presetFor(id).contextWindow;
  if (said !== undefined && said <= tokens) return config;
  // The model has no room beside this window, whatever the table of models says.
  const { reserve } = presetFor(id, { contextWindow: tokens, isLimit: true });
  return { reserve, ...config, contextWindow: tokens };
}
