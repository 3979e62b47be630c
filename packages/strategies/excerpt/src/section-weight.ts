import type { ReadSection } from './conversation-index.js';
import type { TermUse } from './term-use.js';
import type { TermKind } from './terms/term.js';
import type { TermIndex } from './terms/term-index.js';
import { askedWeight, untouchedWeight } from './weights.js';

/** What is known of a conversation when its sections are weighed. */
export interface Surroundings {
  readonly terms: Pick<TermIndex, 'kind'>;
  readonly use: Pick<TermUse, 'lastBy'>;
  /** The position of the newest message of the user; -1 if there is none. */
  readonly newestUser: number;
}

/**
 * A factor on the worth of a section's units. What the agent called up and has not come back to is probably still to be worked on; what
 * the user's newest message names is what the work is about.
 */
export function weightOfSection(
  { section, headingTerms }: Pick<ReadSection, 'section' | 'headingTerms'>,
  { terms, use, newestUser }: Surroundings,
): number {
  const { kind, message } = section;
  if (kind !== 'call') return 1;
  const names = headingTerms.filter((term) => naming.has(terms.kind(term)));
  if (names.length === 0) return 1;
  const isUntouched = names.every((term) => use.lastBy('agent', term) <= message);
  const isAsked = newestUser >= 0 && names.some((term) => use.lastBy('user', term) === newestUser);
  return (isUntouched ? untouchedWeight : 1) * (isAsked ? askedWeight : 1);
}

/** Kinds of terms that name what a call is about, or what the user wants to hear of. An id names a record, and the agent rarely says it again. */
export const naming: ReadonlySet<TermKind> = new Set(['path', 'identifier', 'url', 'error', 'email']);
