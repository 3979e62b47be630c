/** The number of sections to drop, so that the rest meets the threshold if all are of average size. At least 1 if it is exceeded. */
export function dropBatch(currentTokens: number, threshold: number, sections: number): number {
  const excessRatio = currentTokens / threshold - 1;
  if (!(excessRatio > 0) || sections === 0) return 0;
  const mean = currentTokens / sections;
  return Math.min(sections, Math.max(1, Math.ceil((currentTokens - threshold) / mean)));
}

/**
 * Drops sections at random, a batch at a time, until the rest has at most `maxTokens`. The remaining sections keep their order.
 * @param tokensOf counts the tokens of several sections together
 * @param random uniform in [0, 1)
 */
export function dropAtRandom<Section>(
  sections: readonly Section[],
  maxTokens: number,
  tokensOf: (sections: readonly Section[]) => number,
  random: () => number,
): { readonly kept: readonly Section[]; readonly dropped: readonly Section[] } {
  let kept = sections;
  for (let tokens = tokensOf(kept); tokens > maxTokens && kept.length > 0; tokens = tokensOf(kept)) {
    const batch = dropBatch(tokens, maxTokens, kept.length);
    const gone = new Set(shuffled(kept, random).slice(0, batch));
    kept = kept.filter((section) => !gone.has(section));
  }
  const left = new Set(kept);
  return { kept, dropped: sections.filter((section) => !left.has(section)) };
}

/** The Fisher–Yates shuffle. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
