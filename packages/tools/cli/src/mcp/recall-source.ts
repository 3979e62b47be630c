import { access, stat } from 'node:fs/promises';
import { memoryArchive } from '@ctx/archive';
import { sqliteArchive } from '@ctx/archive/sqlite';
import { CtxError, type PassageSource, type ToolCallPart, toolCallsOf } from '@ctx/core';
import { passagesOf } from '@ctx/recall';
import { findSessions, isSessionOf, readSession } from '@ctx/sessions';
import { hasCode } from '../errors.js';
import { sessionMissing } from '../session/open.js';

interface NewestOptions {
  /** Sessions that an agent began in this folder go before all others. */
  readonly folder: string;
  /** The user's home folder. */
  readonly home: string;
  /** Where agents look for folders of their own. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

const store = 'sqlite:';

/**
 * Opens what a person names on a command line: a session file of an agent, or `sqlite:` and the file of an archive. Without a name, each call reads
 * the session that is the newest then.
 * @throws CtxError as `sqliteArchive` and `readSession`, and `archive-unavailable` for a store that does not exist
 */
export async function openRecallSource(
  from: string | undefined,
  conversation: string,
  newest: NewestOptions,
): Promise<{ readonly source: PassageSource; close(): Promise<void> }> {
  if (from === undefined) return { source: newestSession(newest), close: async () => {} };
  if (!from.startsWith(store)) {
    const source = sessionSource(from);
    // A session that holds nothing yet may be about to begin.
    await source.read('#m1').catch((error: unknown) => {
      if (!hasCode(error, 'session-empty', 'archive-ref-unknown')) throw error;
    });
    return { source, close: async () => {} };
  }
  const file = from.slice(store.length);
  // An archive would be made where there is none; whoever wants to read one has mistyped its name.
  await access(file).catch((cause: unknown) => {
    throw new CtxError({
      code: 'archive-unavailable',
      problem: 'There is no such file',
      place: file,
      remedy: 'Name the file that sqliteArchive was given, as sqlite:path.',
      cause,
    });
  });
  const archive = await sqliteArchive(file);
  return { source: passagesOf(archive, conversation), close: () => archive.close() };
}

/** Sessions that are looked at; the one in use is among the newest. */
const mostLookedAt = 20;

/**
 * Reads the newest session of the agents on this machine: each call the one that is the newest then, so that a server which an agent starts
 * once serves all of its sessions. Of several agents in one folder it is the one that wrote last.
 */
function newestSession(options: NewestOptions): PassageSource {
  let current: { readonly path: string; readonly source: PassageSource } | undefined;
  const inNewest = async <Result>(ask: (source: PassageSource) => Promise<Result>): Promise<Result> => {
    let reason: unknown;
    for (const path of await newestFirst(options)) {
      const source = current?.path === path ? current.source : sessionSource(path);
      try {
        const result = await ask(source);
        current = { path, source };
        return result;
      } catch (error) {
        // A session that was only begun is not the one that asks.
        if (!hasCode(error, 'session-empty', 'session-format-unknown')) throw error;
        reason ??= error;
      }
    }
    throw reason ?? sessionMissing();
  };
  return {
    find: (query, about) => inNewest((source) => source.find(query, about)),
    read: (ref, about) => inNewest((source) => source.read(ref, about)),
  };
}

/** The paths of the newest sessions, those of the folder first. */
async function newestFirst({ folder, home, env }: NewestOptions): Promise<readonly string[]> {
  const paths = (await findSessions({ home, env })).slice(0, mostLookedAt).map(({ path }) => path);
  const own = await Promise.all(paths.map((path) => isSessionOf(path, folder)));
  return [...paths.filter((_, at) => own[at]), ...paths.filter((_, at) => !own[at])];
}

const conversationOfFile = 'session';

/**
 * Reads the session file of an agent, again whenever it has changed. `#m1` is the first message of the session. Errors come from `find` and `read`.
 */
export function sessionSource(path: string): PassageSource {
  let [stamp, source]: [string, Promise<PassageSource> | undefined] = ['', undefined];
  const current = async () => {
    // Changes when the file does. The reader says what is wrong with a file that can't be looked at.
    const about = await stat(path).catch(() => undefined);
    const newest = about === undefined ? '' : `${about.size} ${about.mtimeMs} ${about.ino}`;
    if (source === undefined || newest === '' || newest !== stamp) {
      stamp = newest;
      source = archived(path);
      source.catch(() => {
        source = undefined;
      });
    }
    return source;
  };
  return {
    find: async (query, about) => (await current()).find(query, about),
    read: async (ref, about) => (await current()).read(ref, about),
  };
}

async function archived(path: string): Promise<PassageSource> {
  const { messages } = await readSession(path, { lenient: true });
  const archive = memoryArchive();
  const calls = new Map<string, ToolCallPart>();
  const kept = messages.map((message, index) => {
    for (const call of toolCallsOf(message)) calls.set(call.toolCallId, call);
    const results = message.role === 'tool' ? message.content : [];
    const answered = results.flatMap(({ toolCallId }) => calls.get(toolCallId) ?? []);
    return { number: index + 1, message, calls: answered, time: message.createdAt ?? 0 };
  });
  await archive.keep(conversationOfFile, kept);
  return passagesOf(archive, conversationOfFile);
}
