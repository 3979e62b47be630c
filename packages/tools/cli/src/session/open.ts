import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CtxError } from '@ctx/core';
import { findSessions, type Session, sessionFilesIn } from '@ctx/sessions';
import { hasCode } from '../errors.js';
import type { Io } from '../terminal/io.js';
import { ago, shownLine } from '../terminal/shown.js';
import { askFor } from './ask.js';
import { type ChooseOptions, chooseSession, sessionMissing } from './choose.js';

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
  let [empty, first]: [number, unknown] = [0, undefined];
  for (const { file, words } of candidates) {
    try {
      const session = await chooseSession(file, options);
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
  throw empty > 0 || candidates.length === 1 ? first : noneBelow(path);
}

/** The path of the session that is meant, which may still be empty. */
export async function fileOf(
  io: Io,
  path: string | undefined,
  options: Pick<OpenOptions, 'pick'>,
): Promise<string> {
  const candidates = await candidatesFor(io, path, options);
  for (const { file, words } of candidates) {
    if (words !== undefined && candidates.length > 1 && !(await isSession(file))) continue;
    if (words !== undefined) io.err(`${words}\n`);
    return file;
  }
  throw noneBelow(path);
}

/** False for JSON that nobody knows as a session; what can't be read for another reason says so when it is. */
async function isSession(file: string): Promise<boolean> {
  try {
    await chooseSession(file);
    return true;
  } catch (error) {
    return !hasCode(error, 'session-format-unknown');
  }
}

/** Newest sessions that may be empty; more of them are no accident. */
const mostEmpty = 20;

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
  throw noneBelow(path);
}

function noneBelow(path: string | undefined): CtxError {
  return sessionMissing(path === undefined ? undefined : `There is no session below ${shownLine(path)}`);
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
