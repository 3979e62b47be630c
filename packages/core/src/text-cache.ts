const maxCharacters = 8_000_000;
const maxTexts = 20_000;

/**
 * Remembers the counts of the texts used most lately: at most 20,000 texts of 8 million characters
 * together, none longer than a quarter of that.
 */
export function textsByUse(count: (text: string) => number) {
  const known = new Map<string, number>();
  let characters = 0;

  function remember(text: string, tokens: number): void {
    if (text.length > maxCharacters / 4) return;
    known.set(text, tokens);
    characters += text.length;
    for (const oldest of known.keys()) {
      if (known.size <= maxTexts && characters <= maxCharacters) return;
      known.delete(oldest);
      characters -= oldest.length;
    }
  }

  return {
    count(text: string): number {
      const tokens = known.get(text);
      if (tokens === undefined) {
        const counted = count(text);
        remember(text, counted);
        return counted;
      }
      known.delete(text);
      known.set(text, tokens);
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
