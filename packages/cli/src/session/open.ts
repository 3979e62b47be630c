import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CtxError } from '@ctx/core';
import { type FoundSession, findSessions, newestIn, type Session } from '@ctx/sessions';
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
 * The session at a path, the newest one below a folder, or the newest one of the agents on this machine. Says which, if it had to choose.
 * @throws CtxError as `chooseSession`, and `session-missing` if there is none
 */
export async function openSession(io: Io, path: string | undefined, options: OpenOptions): Promise<Opened> {
  const file = await fileOf(io, path, options);
  return { session: await chooseSession(file, options), path: file };
}

/** The path of the session that is meant. */
export async function fileOf(
  io: Io,
  path: string | undefined,
  { pick = false }: Pick<OpenOptions, 'pick'>,
): Promise<string> {
  if (path === undefined) return (await found(io, pick)).path;
  const file = resolve(io.cwd, path);
  if (!isFolder(file)) return file;
  const newest = await newestIn(file);
  if (newest === undefined) throw missing(`There is no session below ${shownLine(path)}`);
  io.err(`The newest session below ${shownLine(path)}: ${shownLine(newest)}\n`);
  return newest;
}

/** What can't be looked at is no folder: reading it says why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

async function found(io: Io, pick: boolean): Promise<FoundSession> {
  const sessions = await findSessions({ home: io.home, env: io.env });
  const [newest] = sessions;
  if (newest === undefined)
    throw missing('No agent on this machine has a session where its sessions usually are');
  if (pick) return askFor(io, sessions);
  io.err(
    `The newest session: ${newest.agent}, ${ago(io.now() - newest.modifiedAt)}, ${shownLine(newest.path)}\n`,
  );
  return newest;
}

function missing(problem: string): CtxError {
  return new CtxError({
    code: 'session-missing',
    problem,
    remedy: 'Give the path of a session file.',
  });
}
