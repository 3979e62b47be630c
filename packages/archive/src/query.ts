import { mostTerms } from './ranking.js';
import type { QueryTerm } from './store.js';
import { termsOf } from './terms.js';

/** Characters of a query that are read. More says nothing more about what is looked for. */
const longestQuery = 100_000;

/** The terms of a query, each once, the names first. */
export function queryTerms(query: string): QueryTerm[] {
  const { names, words } = termsOf(query.slice(0, longestQuery));
  return [
    ...[...new Set(names)].map((text) => ({ text, stream: 'names' as const })),
    ...[...new Set(words)].map((text) => ({ text, stream: 'words' as const })),
  ].slice(0, mostTerms);
}
