import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { findSessions, readSessions, type Session, type SessionFormat, sessionFilesIn } from '@ctx/sessions';
import { hasCode } from '../errors.js';
import type { Io } from '../terminal/io.js';
import { ago, shownLine } from '../terminal/shown.js';

/** A session that a command works on. */
export interface Opened {
  readonly session: Session;
  readonly path: string;
}

export interface OpenOptions {
  /** Which of several conversations in a file: its number from 1, or its id. */
  readonly conversation?: string | undefined;
  readonly format?: SessionFormat | undefined;
  /** Refuses a file with a record that can't be read, instead of leaving the record out. */
  readonly strict?: boolean | undefined;
}

/** Newest sessions that may be empty; more of them are no accident. */
const mostEmpty = 20;

/**
 * The session at a path, the newest one below a folder, or the newest one of the agents on this machine; of the newest the first that holds
 * something. Says which, if it had to choose.
 * @throws CtxError as `readSessions`, `session-missing` if there is none, and `option-invalid` if it is not clear which conversation is meant
 */
export async function openSession(io: Io, path: string | undefined, options: OpenOptions): Promise<Opened> {
  const candidates = await candidatesFor(io, path);
  let [empty, first]: [number, unknown] = [0, undefined];
  for (const { file, words } of candidates) {
    try {
      const session = await sessionIn(file, options);
      if (words !== undefined) io.err(`${words}\n`);
      return { session, path: file };
    } catch (error) {
      // An agent leaves a file without a message when it is started and nothing is said; a folder holds other JSON as well.
      const isPassedOver = hasCode(error, 'session-empty', 'session-format-unknown');
      if (words === undefined || !isPassedOver) throw error;
      first ??= error;
      if (hasCode(error, 'session-empty')) empty += 1;
      if (empty === mostEmpty) throw error;
    }
  }
  if (empty > 0 || candidates.length === 1) throw first;
  throw sessionMissing(path === undefined ? undefined : `There is no session below ${shownLine(path)}`);
}

/** The sessions that may be meant, the best first, with words that say which it is unless it was named. */
async function candidatesFor(
  io: Io,
  path: string | undefined,
): Promise<readonly { readonly file: string; readonly words?: string }[]> {
  if (path === undefined)
    return (await findSessions({ home: io.home, env: io.env })).map(({ agent, modifiedAt, path: file }) => ({
      file,
      words: `The newest session: ${agent}, ${ago(io.now() - modifiedAt)}, ${shownLine(file)}`,
    }));
  const file = resolve(io.cwd, path);
  // What can't be looked at is no folder: reading it says why.
  const about = await stat(file).catch(() => undefined);
  if (about?.isDirectory() !== true) return [{ file }];
  return (await sessionFilesIn(file)).map((one) => ({
    file: one,
    words: `The newest session below ${shownLine(path)}: ${shownLine(one)}`,
  }));
}

/** The error where there is no session; by default where agents keep theirs. */
export function sessionMissing(
  problem = 'No agent on this machine has a session where its sessions usually are',
): CtxError {
  return new CtxError({ code: 'session-missing', problem, remedy: 'Give the path of a session file.' });
}

/** Ids in an error's text. */
const listed = 5;

/** Reads one conversation of a file. */
async function sessionIn(
  path: string,
  { conversation, format, strict = false }: OpenOptions,
): Promise<Session> {
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
export function refusePlace({ messages }: Session, at: number): void {
  if (at <= messages.length) return;
  throw new CtxError({
    code: 'option-invalid',
    problem: `The session has ${messages.length} messages`,
    place: '--at',
    value: at,
    remedy: `Give a number from 1 to ${messages.length}.`,
  });
}
