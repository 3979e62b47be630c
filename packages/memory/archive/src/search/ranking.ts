import { digestOf } from '@ctx/core/kit';
import type { QueryTerm, Weighted } from '../store.js';

/** The usual constants of BM25: how soon a term's repetition stops counting, and how much length counts against a text. */
export const saturation = 1.2;
export const lengthShare = 0.75;
/** A name in common says more than a word in common. */
export const streamWeights = { names: 2, words: 1 } as const;

/**
 * Postings that one search reads at most, some milliseconds. The rarest terms come first, so that what is skipped are the
 * words that every tenth passage has.
 */
const usualPostings = 10_000;

/**
 * Chooses the terms of a query that are read, the rarest first.
 * @param counts how many passages have each term
 * @param total how many passages there are
 * @param mostPostings how many postings are read at most
 */
export function chosenTerms(
  terms: readonly QueryTerm[],
  counts: readonly number[],
  total: number,
  mostPostings = usualPostings,
): Weighted[] {
  const known = terms
    .map((term, index) => ({ term, count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  const chosen: Weighted[] = [];
  let postings = 0;
  for (const { term, count } of known) {
    postings += count;
    if (chosen.length > 0 && postings > mostPostings) break;
    chosen.push({ term, idf: rarity(count, total) * streamWeights[term.stream] });
  }
  return chosen;
}

/**
 * How much it says that a text has a term, in the way of BM25: the more, the fewer texts have it. Above 0.
 * @param count how many texts have it; may include some that were forgotten
 */
function rarity(count: number, total: number): number {
  return Math.log(1 + (Math.max(total, count) - count + 0.5) / (count + 0.5));
}

/** A term of one conversation as a word of letters and digits, so that no search reads anything of another conversation. */
export function tokenOf(conversation: number, { text, stream }: QueryTerm): string {
  return digestOf(digestOf(conversation, stream), text).toString(36);
}
