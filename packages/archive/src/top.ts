import type { Hit } from './store.js';

/** The hits with the largest scores, in order; of equal ones the newer first. */
export function topOf(hits: readonly Hit[], most: number): Hit[] {
  if (hits.length <= most * 4) return sorted(hits).slice(0, most);
  const scores = Float64Array.from(hits, ({ score }) => score).sort();
  const least = scores[scores.length - most] as number;
  return sorted(hits.filter(({ score }) => score >= least)).slice(0, most);
}

function sorted(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => b.score - a.score || byPlace(b, a));
}

/** The order of passages in their conversation. */
export function byPlace({ passage: a }: Pick<Hit, 'passage'>, { passage: b }: Pick<Hit, 'passage'>): number {
  return a.message - b.message || a.part - b.part || a.passage - b.passage;
}
