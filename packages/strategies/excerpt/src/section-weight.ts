import type { ReadSection } from './conversation-index.js';
import type { TermUse } from './term-use.js';
import type { TermIndex, TermKind } from './terms/index.js';
import { askedWeight, openFailureWeight, untouchedWeight, userWeight } from './weights.js';

/** What is known of a conversation when its sections are weighed. */
export interface Surroundings {
  readonly terms: Pick<TermIndex, 'kind'>;
  readonly use: Pick<TermUse, 'lastBy'>;
  /** The position of the newest message of the user; -1 if there is none. */
  readonly newestUser: number;
  /** For a call that failed: whether the same call did not work later. */
  isOpen(section: ReadSection['section']): boolean;
}

/**
 * A factor on the worth of a section's units. What the agent called up and has not come back to is probably still to be worked on; what
 * the user's newest message names is what the work is about.
 */
export function weightOfSection(
  { section, headingTerms }: Pick<ReadSection, 'section' | 'headingTerms'>,
  { terms, use, newestUser, isOpen }: Surroundings,
): number {
  const { kind, message } = section;
  switch (kind) {
    case 'user':
      return userWeight;
    case 'failure':
      return isOpen(section) ? openFailureWeight : 1;
    case 'call': {
      const names = headingTerms.filter((term) => naming.has(terms.kind(term)));
      if (names.length === 0) return 1;
      const isUntouched = names.every((term) => use.lastBy('agent', term) <= message);
      const isAsked = newestUser >= 0 && names.some((term) => use.lastBy('user', term) === newestUser);
      return (isUntouched ? untouchedWeight : 1) * (isAsked ? askedWeight : 1);
    }
    case 'assistant':
    case 'summary':
      return 1;
    default:
      return kind satisfies never;
  }
}

/** Kinds of terms that name what a call is about, or what the user wants to hear of. An id names a record, and the agent rarely says it again. */
export const naming: ReadonlySet<TermKind> = new Set(['path', 'identifier', 'url', 'error', 'email']);
