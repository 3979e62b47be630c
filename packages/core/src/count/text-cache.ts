/** About two million tokens, and at most 16 MB of memory. */
const maxCharacters = 8_000_000;
/** Bounds the map itself, where the texts are short. */
const maxTexts = 20_000;
/** Counting a shorter text is as quick as looking it up. */
const minCharacters = 16;
/** What an eviction leaves of the maximum. */
const kept = 0.75;

/**
 * Remembers the counts of the texts used most lately: at most 20,000 texts of 8 million characters
 * together, none longer than a quarter of that or shorter than 16
 * characters.
 */
export function textsByUse(count: (text: string) => number) {
  const known = new Map<string, number>();
  let characters = 0;

  function remember(text: string, tokens: number): void {
    if (text.length > maxCharacters / 4) return;
    known.set(text, tokens);
    characters += text.length;
    if (known.size > maxTexts || characters > maxCharacters) evict();
  }

  /** Until then it does not matter which was used last. */
  function isCrowded(): boolean {
    return known.size > kept * maxTexts || characters > kept * maxCharacters;
  }

  /** A quarter at a time: taking the first key off a Map one by one walks over those taken off before. */
  function evict(): void {
    for (const oldest of known.keys()) {
      if (!isCrowded()) return;
      known.delete(oldest);
      characters -= oldest.length;
    }
  }

  return {
    count(text: string): number {
      if (text.length < minCharacters) return count(text);
      const tokens = known.get(text);
      if (tokens === undefined) {
        const counted = count(text);
        remember(text, counted);
        return counted;
      }
      if (isCrowded()) {
        known.delete(text);
        known.set(text, tokens);
      }
      return tokens;
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
