import { CtxError } from '@ctx/core';

/** A part of a message is kept already, and says something else. */
export function conflict(message: number): CtxError {
  return new CtxError({
    code: 'archive-conflict',
    problem: 'A different text is already archived for this message',
    place: `#m${message}`,
    remedy:
      'Nothing was stored. After a rewind, forget the messages from there on; give a fork of a conversation an id of its own.',
  });
}

export function unknownRef(ref: string): CtxError {
  return new CtxError({
    code: 'archive-ref-unknown',
    problem: 'This conversation has nothing archived under this handle',
    place: 'ref',
    value: ref,
    remedy: 'Use a handle from a search or from the view. Messages still in the view are not in the archive.',
  });
}

export function invalidEntry(place: string, value: unknown, problem: string): CtxError {
  return new CtxError({
    code: 'archive-entry-invalid',
    problem,
    place,
    value,
    remedy: 'Make entries of messages with entriesOf. Nothing was stored.',
  });
}

/** The store can't be used now: it is closed, gone, locked or read-only. */
export function unavailable(problem: string, cause?: unknown): CtxError {
  return new CtxError({
    code: 'archive-unavailable',
    problem,
    place: 'archive',
    remedy:
      'What was archived before is safe. Keep the entries and put them again once the archive can be reached.',
    cause,
  });
}

/** There is no room for more. */
export function full(problem: string, cause?: unknown): CtxError {
  return new CtxError({
    code: 'archive-full',
    problem,
    place: 'archive',
    remedy:
      'Nothing was stored this time. Free some space, forget conversations, or set timeToLive or maxCharacters.',
    cause,
  });
}

/** What is stored can't be read. */
export function corrupt(problem: string, cause?: unknown): CtxError {
  return new CtxError({
    code: 'archive-corrupt',
    problem,
    place: 'archive',
    remedy:
      'Put the same again, which the manager does by itself. If it fails again, give another path or database. The conversation itself is not affected.',
    cause,
  });
}
