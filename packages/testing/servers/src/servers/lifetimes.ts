import type { Fields } from '@ctx/core/codec';

/** Ms. */
const minute = 60_000;
/** Ms that providers keep a prompt in their cache, or a message thread, after its last use. */
export const usualLifetime = 5 * minute;

/** Ms that the cache keeps the prompt of a request after its last use: by the time that the request asks for, in the words of any provider. */
export function cacheLifetime(request: Fields): number {
  if (request.prompt_cache_retention === '24h') return 24 * 60 * minute;
  return JSON.stringify(request).includes('"ttl":"1h"') ? 60 * minute : usualLifetime;
}
