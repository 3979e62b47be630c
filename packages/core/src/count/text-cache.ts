import type { Steps } from '../base/slices.js';

/** About two million tokens, and at most 16 MB of memory. */
const maxCharacters = 8_000_000;
/** Bounds the map itself if the texts are short. */
const maxTexts = 20_000;
/** The share of the maximum that remains after an eviction. */
const kept = 0.75;

/**
 * Remembers the counts of the most recently used texts: at most 20,000 texts with 8 million characters in total. A text
 * longer than half of that is not remembered.
 */
export function textsByUse(count: (text: string) => number) {
  const known = new Map<string, number>();
  let characters = 0;

  function remember(text: string, tokens: number): void {
    if (text.length > maxCharacters / 2) return;
    known.set(text, tokens);
    characters += text.length;
    if (known.size > maxTexts || characters > maxCharacters) evict();
  }

  /** Order of use matters only once the cache is nearly full. */
  function isNearlyFull(): boolean {
    return known.size > kept * maxTexts || characters > kept * maxCharacters;
  }

  /** Removes a quarter at a time. Removing the first key of a Map one by one scans all keys removed before it. */
  function evict(): void {
    for (const oldest of known.keys()) {
      if (!isNearlyFull()) return;
      known.delete(oldest);
      characters -= oldest.length;
    }
  }

  function find(text: string): number | undefined {
    const tokens = known.get(text);
    if (tokens !== undefined && isNearlyFull()) {
      known.delete(text);
      known.set(text, tokens);
    }
    return tokens;
  }

  return {
    count(text: string): number {
      const found = find(text);
      if (found !== undefined) return found;
      const counted = count(text);
      remember(text, counted);
      return counted;
    },
    *countInSteps(text: string, counting: (text: string) => Steps<number>): Steps<number> {
      const found = find(text);
      if (found !== undefined) return found;
      const counted = yield* counting(text);
      if (!known.has(text)) remember(text, counted);
      return counted;
    },
    clear(): void {
      known.clear();
      characters = 0;
    },
    get size(): number {
      return known.size;
    },
  };
}
