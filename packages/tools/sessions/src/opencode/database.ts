import { CtxError, packageMissing } from '@ctx/core';
import { parseJson } from '@ctx/core/codec';
import { type Fields, isFields } from '../fields.js';
import { emptyFile, regularStat, unreadable } from '../files/regular-file.js';

/** What is used of Node's `DatabaseSync`. */
interface Database {
  prepare(sql: string): { all(...values: (string | number)[]): unknown[] };
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (file: string, options: { readonly readOnly: boolean }) => Database;
}

const form = /^(.+\.db)(?:#([\w-]+))?$/;

/** True for the path of a database, or of a session in one: `opencode.db#ses_…`. */
export function isDatabase(path: string): boolean {
  return form.test(path);
}

/** The sessions in a database, the newest first, with the ms of their last change. Those of sub-agents are parts of others, and left out. */
export async function storedSessions(file: string, most: number) {
  const sql =
    'select id, time_updated from session where parent_id is null order by time_updated desc limit ?';
  const rows = await rowsIn(file, sql, most);
  return rows.map(({ id, time_updated: time }) => ({ id: String(id), modifiedAt: Number(time) }));
}

/** The folder that a session in a database was begun in; undefined if the path is that of a file. */
export async function storedFolder(path: string): Promise<string | undefined> {
  const [, file, id] = form.exec(path) ?? [];
  if (file === undefined || id === undefined) return undefined;
  const [row] = await rowsIn(file, 'select directory from session where id = ?', id);
  return String(row?.directory ?? '');
}

/**
 * A session in the form that `opencode export` prints.
 * @param path of the database, with the id of a session behind `#`; without one its newest session
 * @throws CtxError `session-unreadable`, `session-empty` if the database has no session of that id
 */
export async function storedSession(path: string): Promise<object> {
  const [, file = path, named] = form.exec(path) ?? [];
  const id = named ?? (await storedSessions(file, 1))[0]?.id ?? '';
  const messages = await rowsIn(
    file,
    'select id, data from message where session_id = ? order by time_created, id',
    id,
  );
  if (messages.length === 0)
    throw new CtxError({
      code: 'session-empty',
      problem: 'The database holds no message of this session',
      place: path,
      value: id,
      remedy: 'Give the id of a session that is in it, behind a #.',
    });
  const parts = new Map<unknown, Fields[]>();
  const sql = 'select id, message_id, data from part where session_id = ? order by id';
  for (const { id: part, message_id: message, data } of await rowsIn(file, sql, id))
    parts.set(message, [...(parts.get(message) ?? []), { ...fieldsIn(data), id: part }]);
  return {
    info: { id },
    messages: messages.map((row) => ({
      info: { ...fieldsIn(row.data), id: row.id, sessionID: id },
      parts: parts.get(row.id) ?? [],
    })),
  };
}

function fieldsIn(data: unknown): Fields {
  try {
    const value: unknown = parseJson(String(data));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

async function rowsIn(file: string, sql: string, value: string | number): Promise<Fields[]> {
  if ((await regularStat(file)).size === 0) throw emptyFile(file);
  const { DatabaseSync } = await sqlite(file);
  let database: Database | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return database.prepare(sql).all(value).filter(isFields);
  } catch (error) {
    if (!/no such (?:table|column)|not a database/.test(String(error))) throw unreadable(file, error);
    throw new CtxError({
      code: 'session-unreadable',
      problem: 'The file is not a database of OpenCode',
      place: file,
      remedy: 'Give the path of opencode.db, or a session file.',
      cause: error,
    });
  } finally {
    database?.close();
  }
}

/** Node's own SQLite, or the same from a package. */
async function sqlite(file: string): Promise<Sqlite> {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  const own = getBuiltinModule?.('node:sqlite') as Sqlite | undefined;
  if (own !== undefined) return own;
  const need = `${file}, because this Node has no SQLite`;
  return (await import('@photostructure/sqlite').catch(
    packageMissing(need, ['@photostructure/sqlite@1']),
  )) as unknown as Sqlite;
}
