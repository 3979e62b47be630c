import type { Hit } from '../store.js';

/** The best first; of equal ones the newer. */
export function sorted(hits: readonly Hit[]): Hit[] {
  return [...hits].sort((a, b) => b.score - a.score || byPlace(b, a));
}

/** The order of passages in their conversation. */
export function byPlace({ passage: a }: Pick<Hit, 'passage'>, { passage: b }: Pick<Hit, 'passage'>): number {
  return a.message - b.message || a.part - b.part || a.passage - b.passage;
}
