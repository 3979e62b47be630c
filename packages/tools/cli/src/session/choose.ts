import { CtxError } from '@ctx/core';
import { readSessions, type Session, type SessionFormat } from '@ctx/sessions';

export interface ChooseOptions {
  /** Which of several conversations in a file: its number from 1, or its id. */
  readonly conversation?: string | undefined;
  readonly format?: SessionFormat | undefined;
  /** Refuses a file with a record that can't be read, instead of leaving the record out. */
  readonly strict?: boolean | undefined;
}

/** Ids in an error's text. */
const listed = 5;

/**
 * Reads one conversation of a file.
 * @throws CtxError as `readSessions`, and `option-invalid` if it is not clear which conversation is meant
 */
export async function chooseSession(path: string, options: ChooseOptions = {}): Promise<Session> {
  const { conversation, format, strict = false } = options;
  const sessions: Session[] = [];
  for await (const session of readSessions(path, { lenient: !strict, ...(format && { format }) }))
    sessions.push(session);
  const [first] = sessions;
  if (conversation === undefined && sessions.length === 1 && first !== undefined) return first;
  const chosen =
    sessions.find(({ id }) => id === conversation) ??
    (/^\d+$/.test(conversation ?? '') ? sessions[Number(conversation) - 1] : undefined);
  if (chosen !== undefined) return chosen;
  const ids = sessions.slice(0, listed).map(({ id }, index) => `${index + 1} (${id})`);
  throw new CtxError({
    code: 'option-invalid',
    problem:
      conversation === undefined
        ? `The file holds ${sessions.length} conversations`
        : `The file has no conversation "${conversation}"`,
    place: path,
    remedy: `Give --conversation with a number from 1 to ${sessions.length}, or an id: ${ids.join(', ')}${sessions.length > listed ? ', …' : ''}.`,
  });
}

/**
 * Refuses a place that a session does not have.
 * @throws CtxError `option-invalid`
 */
export function refusePlace({ messages }: Session, at: number, place = '--at'): void {
  if (at <= messages.length) return;
  throw new CtxError({
    code: 'option-invalid',
    problem: `The session has ${messages.length} messages`,
    place,
    value: at,
    remedy: `Give a number from 1 to ${messages.length}.`,
  });
}

/** The error where there is no session; by default where agents keep theirs. */
export function sessionMissing(
  problem = 'No agent on this machine has a session where its sessions usually are',
): CtxError {
  return new CtxError({ code: 'session-missing', problem, remedy: 'Give the path of a session file.' });
}
