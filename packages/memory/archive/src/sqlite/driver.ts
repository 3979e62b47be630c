import { packageMissing } from '@ctx/core';

type Value = string | number | null;
export type Row = Readonly<Record<string, string | number | null>>;

export interface Statement {
  run(...values: Value[]): { readonly lastInsertRowid: number | bigint };
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
}

/** What is used of `DatabaseSync`, by which Node and the package that stands in for it both go. */
export interface Driver {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Sqlite {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly: boolean }) => Driver;
}

/** Node's own SQLite, or the same from a package. */
export async function loadSqlite(): Promise<Sqlite> {
  const own = builtin('node:sqlite') as Sqlite | undefined;
  if (own !== undefined && hasSearch(own)) return own;
  const need = 'an archive in a file, because this Node has no SQLite with full-text search';
  return (await import('@photostructure/sqlite').catch(
    packageMissing(need, ['@photostructure/sqlite@1']),
  )) as unknown as Sqlite;
}

function builtin(name: string): unknown {
  const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
  return getBuiltinModule?.(name);
}

/** The first versions of Node with SQLite have it without FTS5. */
function hasSearch({ DatabaseSync }: Sqlite): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec('create virtual table tried using fts5(text)');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
