import type { ManagerOptions } from '@ctx/core';
import { presetFor } from '@ctx/presets';

/** How an hour is asked for, wherever it is said: `cache_control`, `cachePoint`, `providerOptions.anthropic.cacheControl`. */
const hour = '1h';
const hourPrices = { cacheMinutes: 60, cacheWrite: 2 };

/** The settings with the lifetime of the cache that a request asks for. Prices of a host's own stay as they are. */
export function withAskedCache(
  config: ManagerOptions['config'],
  { history, minutes }: { readonly history: unknown; readonly minutes: number | undefined },
  id: Pick<ManagerOptions, 'provider' | 'model'>,
): ManagerOptions['config'] {
  const asked = asksForHour(history) ? hourPrices : minutes !== undefined && { cacheMinutes: minutes };
  if (asked === false || config?.prices !== undefined) return config;
  const { perMillion } = presetFor(id).prices ?? {};
  return { ...config, prices: { ...(perMillion !== undefined && { perMillion }), ...asked } };
}

function asksForHour(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  if (Array.isArray(value)) return value.some(asksForHour);
  return Object.entries(value).some(([key, one]) => (key === 'ttl' ? one === hour : asksForHour(one)));
}
