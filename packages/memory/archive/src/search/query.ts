import type { QueryTerm } from '../store.js';
import { mostTerms } from './ranking.js';
import { termsOf } from './terms.js';

/** Characters of a query that are read. More says nothing more about what is looked for. */
export const longestQuery = 100_000;

/** A word that may be a name written without its capitals: `parseuserinput`. */
const perhapsName = /[\p{L}\p{N}_]{8,40}/gu;

/** The terms of a query, each once, the names first. */
export function queryTerms(query: string): QueryTerm[] {
  const read = query.slice(0, longestQuery);
  const { names, words } = termsOf(read);
  const plain = read.toLowerCase().match(perhapsName) ?? [];
  return [
    ...[...new Set([...names, ...plain])].map((text) => ({ text, stream: 'names' as const })),
    ...[...new Set(words)].map((text) => ({ text, stream: 'words' as const })),
  ].slice(0, mostTerms);
}
