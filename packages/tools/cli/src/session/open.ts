import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { findSessions, type Session, sessionFilesIn } from '@ctx/sessions';
import type { Io } from '../terminal/io.js';
import { shownLine } from '../terminal/shown.js';
import { ago } from '../terminal/time.js';
import { askFor } from './ask.js';
import { type ChooseOptions, chooseSession } from './choose.js';

/** A session that a command works on. */
export interface Opened {
  readonly session: Session;
  readonly path: string;
}

export interface OpenOptions extends ChooseOptions {
  /** Asks which of the newest sessions is meant. */
  readonly pick?: boolean | undefined;
}

/**
 * The session at a path, the newest one below a folder, or the newest one of the agents on this machine; of the newest the first that holds
 * something. Says which, if it had to choose.
 * @throws CtxError as `chooseSession`, and `session-missing` if there is none
 */
export async function openSession(io: Io, path: string | undefined, options: OpenOptions): Promise<Opened> {
  const candidates = await candidatesFor(io, path, options);
  const last = Math.min(candidates.length, mostTried) - 1;
  for (const [at, { file, words }] of candidates.slice(0, mostTried).entries()) {
    try {
      const session = await chooseSession(file, options);
      if (words !== undefined) io.err(`${words}\n`);
      return { session, path: file };
    } catch (error) {
      if (!isEmpty(error) || at === last) throw error;
    }
  }
  throw missing('There is no session');
}

/** An agent leaves a file without a message when it is started and nothing is said. */
function isEmpty(error: unknown): boolean {
  return CtxError.isInstance(error) && error.code === 'session-empty';
}

/** The path of the session that is meant, which may still be empty. */
export async function fileOf(
  io: Io,
  path: string | undefined,
  options: Pick<OpenOptions, 'pick'>,
): Promise<string> {
  const [{ file, words }] = await candidatesFor(io, path, options);
  if (words !== undefined) io.err(`${words}\n`);
  return file;
}

/** Files of the newest sessions that are looked at; so many empty ones in a row are no accident. */
const mostTried = 20;

interface Candidate {
  readonly file: string;
  /** Says which it is; missing if it was named. */
  readonly words?: string;
}

/** The sessions that may be meant, the best first. */
async function candidatesFor(
  io: Io,
  path: string | undefined,
  { pick = false }: Pick<OpenOptions, 'pick'>,
): Promise<readonly [Candidate, ...Candidate[]]> {
  const found = path === undefined ? await candidatesOnMachine(io, pick) : await candidatesAt(io, path);
  const [first, ...others] = found;
  if (first !== undefined) return [first, ...others];
  throw missing(
    path === undefined
      ? 'No agent on this machine has a session where its sessions usually are'
      : `There is no session below ${shownLine(path)}`,
  );
}

async function candidatesAt(io: Io, path: string): Promise<readonly Candidate[]> {
  const file = resolve(io.cwd, path);
  if (!isFolder(file)) return [{ file }];
  return (await sessionFilesIn(file)).map((one) => ({
    file: one,
    words: `The newest session below ${shownLine(path)}: ${shownLine(one)}`,
  }));
}

async function candidatesOnMachine(io: Io, pick: boolean): Promise<readonly Candidate[]> {
  const sessions = await findSessions({ home: io.home, env: io.env });
  if (pick && sessions.length > 0) return [{ file: (await askFor(io, sessions)).path }];
  return sessions.map(({ agent, modifiedAt, path: file }) => ({
    file,
    words: `The newest session: ${agent}, ${ago(io.now() - modifiedAt)}, ${shownLine(file)}`,
  }));
}

/** What can't be looked at is no folder: reading it says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function missing(problem: string): CtxError {
  return new CtxError({
    code: 'session-missing',
    problem,
    remedy: 'Give the path of a session file.',
  });
}
