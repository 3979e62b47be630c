import { CtxError, type ErrorFields } from '@ctx/core';

const remedies = {
  'archive-conflict':
    'Nothing was stored. After a rewind, forget the messages from there on; give a fork of a conversation an id of its own.',
  'archive-ref-unknown': 'Use a handle from a search or from the view.',
  'archive-entry-invalid': 'Make entries of messages with entriesOf. Nothing was stored.',
  'archive-unavailable':
    'What was archived before is safe. Keep the entries and put them again once the archive can be reached.',
  'archive-full': 'Nothing was stored this time. Free some space, forget conversations, or set timeToLive.',
  'archive-corrupt':
    'Put the same again, which a manager does by itself. If it fails again, give another path or database. The conversation itself is not affected.',
} as const;

function failed(
  code: keyof typeof remedies,
  problem: string,
  others: Pick<ErrorFields, 'place' | 'value' | 'cause'> = {},
): CtxError {
  return new CtxError({ place: 'archive', ...others, code, problem, remedy: remedies[code] });
}

/** A part of a message is kept already, and says something else. */
export function conflict(message: number): CtxError {
  const problem = 'A different text is already archived for this message';
  return failed('archive-conflict', problem, { place: `#m${message}` });
}

export function unknownRef(value: string): CtxError {
  const problem = 'This conversation has nothing archived under this handle';
  return failed('archive-ref-unknown', problem, { place: 'ref', value });
}

export function invalidEntry(fault: Pick<ErrorFields, 'problem' | 'place' | 'value'>): CtxError {
  return failed('archive-entry-invalid', fault.problem, fault);
}

/** The store can't be used now: it is closed, locked or read-only. */
export function unavailable(problem: string, cause?: unknown): CtxError {
  return failed('archive-unavailable', problem, { cause });
}

/** There is no room for more. */
export function full(problem: string, cause?: unknown): CtxError {
  return failed('archive-full', problem, { cause });
}

/** What is stored can't be read. */
export function corrupt(problem: string, cause?: unknown): CtxError {
  return failed('archive-corrupt', problem, { cause });
}
