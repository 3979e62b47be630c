import type { Steps } from '../base/slices.js';

/** In one generation: about a million tokens, and at most 8 MB of memory. */
const mostCharacters = 4_000_000;
/** Bounds the map itself if the texts are short. */
const mostTexts = 20_000;

/**
 * Remembers the counts of the most recently used texts, in two generations: at most 40,000 texts with 8 million characters in total. A text
 * longer than half of that is not remembered.
 */
export function textsByUse(count: (text: string) => number) {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  /** Of the newer generation. */
  let characters = 0;

  function remember(text: string, tokens: number): void {
    if (text.length > mostCharacters) return;
    if (newer.size === mostTexts || characters + text.length > mostCharacters) {
      older = newer;
      newer = new Map();
      characters = 0;
    }
    newer.set(text, tokens);
    characters += text.length;
  }

  function find(text: string): number | undefined {
    const known = newer.get(text);
    if (known !== undefined) return known;
    const again = older.get(text);
    if (again !== undefined) remember(text, again);
    return again;
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
      if (!newer.has(text)) remember(text, counted);
      return counted;
    },
    /** How many texts are remembered; one that is in both generations counts twice. */
    get size(): number {
      return newer.size + older.size;
    },
  };
}
