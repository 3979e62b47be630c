import { access } from 'node:fs/promises';
import { sqliteArchive } from '@ctx/archive/sqlite';
import { CtxError, type PassageSource } from '@ctx/core';
import { passagesOf } from '@ctx/recall';
import { hasCode } from '../errors.js';
import { type NewestSessionOptions, newestSession } from './newest-session.js';
import { sessionSource } from './session-source.js';

/** The id of a manager's conversation that was given none. */
const usualConversation = 'conversation';
const store = 'sqlite:';

/**
 * Opens what a person names on a command line: a session file of an agent, or `sqlite:` and the file of an archive. Without a name, each call reads
 * the session that is the newest then.
 * @throws CtxError as `sqliteArchive` and `readSession`, and `archive-unavailable` for a store that does not exist
 */
export async function openRecallSource(
  from: string | undefined,
  conversation = usualConversation,
  newest: NewestSessionOptions = { folder: process.cwd() },
): Promise<{ readonly source: PassageSource; close(): Promise<void> }> {
  if (from === undefined) return { source: newestSession(newest), close: async () => {} };
  if (!from.startsWith(store)) {
    const source = sessionSource(from);
    await refuseUnreadable(source);
    return { source, close: async () => {} };
  }
  const file = from.slice(store.length);
  await refuseMissing(file);
  const archive = await sqliteArchive(file);
  return { source: passagesOf(archive, conversation), close: () => archive.close() };
}

/** A session that holds nothing yet may be about to begin. */
async function refuseUnreadable(source: PassageSource): Promise<void> {
  try {
    await source.read('#m1');
  } catch (error) {
    if (!hasCode(error, 'session-empty', 'archive-ref-unknown')) throw error;
  }
}

/** An archive would be made where there is none; whoever wants to read one has mistyped its name. */
async function refuseMissing(file: string): Promise<void> {
  try {
    await access(file);
  } catch (cause) {
    throw new CtxError({
      code: 'archive-unavailable',
      problem: 'There is no such file',
      place: file,
      remedy: 'Name the file that sqliteArchive was given, as sqlite:path.',
      cause,
    });
  }
}
