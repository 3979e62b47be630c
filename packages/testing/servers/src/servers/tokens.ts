import { createHash } from 'node:crypto';
import type { Fields } from '@ctx/core/codec';

/** Characters of an average token; tests need no exact figures. */
const charactersPerToken = 4;

/** A token for every four characters of JSON, rounded up. */
const tokensOf = (text: string): number => Math.ceil(text.length / charactersPerToken);

const dataFields = /^(data|url|image_url|file_data|bytes)$/;

/** JSON without the bytes of images and files, and without marks for the prompt cache. */
function countedText(segment: unknown): string {
  if (typeof segment === 'string') return segment;
  const counted = JSON.stringify(segment, (key, value: unknown) => {
    if (key === 'cache_control') return undefined;
    return typeof value === 'string' && dataFields.test(key) ? '' : value;
  });
  return counted ?? '';
}

/** Ms. */
const minute = 60_000;
/** Ms that providers keep a prompt in their cache, or a message thread, after its last use. */
export const usualLifetime = 5 * minute;

/** Ms that the cache keeps the prompt of a request after its last use: by the time that the request asks for, in the words of any provider. */
export function cacheLifetime(request: Fields): number {
  if (request.prompt_cache_retention === '24h') return 24 * 60 * minute;
  return JSON.stringify(request).includes('"ttl":"1h"') ? 60 * minute : usualLifetime;
}

/** Counts requests, and knows which beginnings of requests it has seen before. */
export class TokenLedger {
  /** By beginning, the time at which it expires. */
  readonly #seen = new Map<string, number>();

  count(value: unknown): number {
    return tokensOf(countedText(value));
  }

  total(segments: readonly unknown[]): number {
    return segments.reduce<number>((sum, one) => sum + this.count(one), 0);
  }

  /**
   * The tokens of a request's segments, and how many of them begin an earlier request, too.
   * @param lifetime ms that this one is remembered
   */
  measure(segments: readonly unknown[], now: number, lifetime: number) {
    const prefixes: string[] = [];
    let [prefix, tokens, cached] = ['', 0, 0];
    for (const segment of segments) {
      const text = countedText(segment);
      prefix = createHash('sha256').update(prefix).update(text).digest('base64');
      prefixes.push(prefix);
      tokens += tokensOf(text);
      if ((this.#seen.get(prefix) ?? -1) >= now) cached = tokens;
    }
    for (const one of prefixes) this.#seen.set(one, now + lifetime);
    return { tokens, cached };
  }
}
