import { digestOf } from '@ctx/core/kit';
import type { IndexedPassage, QueryTerm } from '../store.js';

/** A term of one conversation as a number of 53 bits, so that no search reads anything of another conversation. */
export function termDigest(conversation: number, { text, stream }: QueryTerm): number {
  return digestOf(digestOf(conversation, stream), text);
}

/** The digest as a word of letters and digits. */
export function tokenOf(digest: number): string {
  return digest.toString(36);
}

/** How often a passage has each of its terms, by their digests. */
export function digestsOf(conversation: number, { terms }: IndexedPassage): Map<number, number> {
  const often = new Map<number, number>();
  for (const stream of ['names', 'words'] as const) {
    for (const text of terms[stream]) {
      const digest = termDigest(conversation, { text, stream });
      often.set(digest, (often.get(digest) ?? 0) + 1);
    }
  }
  return often;
}

/** How many of some passages have each term, by their digests. */
export function countsOf(conversation: number, passages: readonly IndexedPassage[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const one of passages)
    for (const digest of digestsOf(conversation, one).keys())
      counts.set(digest, (counts.get(digest) ?? 0) + 1);
  return counts;
}
