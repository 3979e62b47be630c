import type { Wish } from './arguments.js';

/** What a model is told when there are no passages to show. Each says what to try. */
export const answers = {
  nothingAsked:
    'recall needs query, the words to look for, or ref, a handle such as #m41 or #m41:120-180. Example: {"query": "parseConfig error"}',
  nothingYet: 'Nothing has left your view yet: all of this conversation is above.',
  unavailable:
    'What left your view cannot be read at the moment. Go on without it, or try again later; nothing of it is lost.',
  nothingFound({ refs, path, kind }: Wish): string {
    if (refs.length > 0)
      return `Nothing in ${refs.join(', ')} has these words. Give ref without query to read it whole, or query without ref.`;
    const narrowed = path !== undefined || kind !== undefined;
    return `Nothing was found. Try${narrowed ? ' without path and kind, or' : ''} names exactly as they were written (files, functions, values, error texts), or other words. What is still in your view is not searched.`;
  },
  unknownRefs: (refs: readonly string[]) =>
    `Nothing is kept under ${refs.join(', ')}. Use a handle that you see in this conversation, or search with query.`,
  unknownLines: (ref: string, message: string, last: number) =>
    `${ref} does not exist: ${message} has ${last} lines.`,
  left: (refs: readonly string[]) => `Left out, as it did not fit: ${refs.join(', ')}. Read it with ref.`,
  lineCut: (ref: string) => `${ref} is longer than fits. Search in it with ref and query.`,
};
