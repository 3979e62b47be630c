import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findSessions, readSession } from '@ctx/sessions';
import { testWithFiles } from '@ctx/testing';
import { DatabaseSync } from '@photostructure/sqlite';

interface Exported {
  readonly info: { readonly id: string };
  readonly messages: readonly {
    readonly info: { readonly id: string; readonly time: { readonly created: number } };
    readonly parts: readonly { readonly id?: string }[];
  }[];
}

/** A database as OpenCode has it, with sessions that it exports. */
function databaseOf(
  file: string,
  sessions: readonly { exported: Exported; updated: number; parent?: string }[],
): void {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`
    pragma journal_mode = wal;
    create table session (id text, parent_id text, time_updated integer);
    create table message (id text, session_id text, time_created integer, data text);
    create table part (id text, message_id text, session_id text, data text);`);
  for (const { exported, updated, parent = null } of sessions) {
    const { id } = exported.info;
    database.prepare('insert into session values (?, ?, ?)').run(id, parent, updated);
    for (const [index, { info, parts }] of exported.messages.entries()) {
      const { id: message = `msg_${String(index).padStart(4, '0')}`, ...data } = info;
      database
        .prepare('insert into message values (?, ?, ?, ?)')
        .run(message, id, info.time.created, JSON.stringify(data));
      for (const [nth, { id: name, ...part }] of parts.entries())
        database
          .prepare('insert into part values (?, ?, ?, ?)')
          .run(name ?? `prt_${message}_${String(nth).padStart(4, '0')}`, message, id, JSON.stringify(part));
    }
  }
  database.close();
}

const hello = (id: string, text: string): Exported => ({
  info: { id },
  messages: [
    {
      info: { id: `msg_${id}`, time: { created: 1 }, role: 'user' } as Exported['messages'][number]['info'],
      parts: [{ type: 'text', text } as object],
    },
  ],
});

test('the sessions of a database are found, the newest first, without those of sub-agents', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ctx-opencode-'));
  const file = join(home, '.local/share/opencode/opencode.db');
  databaseOf(file, [
    { exported: hello('ses_old', 'old'), updated: 1_000 },
    { exported: hello('ses_new', 'new'), updated: 3_000 },
    { exported: hello('ses_sub', 'sub'), updated: 9_000, parent: 'ses_new' },
  ]);
  const found = await findSessions({ home, env: {} });
  expect(found.map(({ path, modifiedAt, agent }) => [path, modifiedAt, agent])).toEqual([
    [`${file}#ses_new`, 3_000, 'OpenCode'],
    [`${file}#ses_old`, 1_000, 'OpenCode'],
  ]);
  expect(await readSession(`${file}#ses_old`)).toMatchObject({ id: 'ses_old', format: 'opencode' });
  expect((await readSession(file)).id).toBe('ses_new');
  await expect(readSession(`${file}#ses_none`)).rejects.toMatchObject({ code: 'session-empty' });
});

test('what is no database is an error with its place, and is found so that reading it says so', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ctx-opencode-'));
  const file = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'this is no database, but it is long enough to be looked at as if it were one');
  const [found] = await findSessions({ home, env: {} });
  expect(found?.path).toBe(file);
  await expect(readSession(file)).rejects.toMatchObject({ code: 'session-unreadable', place: file });
  await expect(readSession(`${home}/nowhere.db`)).rejects.toMatchObject({ code: 'session-unreadable' });
});

const exportedFile = join(__dirname, '../../../../../../shared/data/made/opencode-1.18.json');
testWithFiles('a session from the database says what its export says', [exportedFile], async () => {
  const exported = JSON.parse(readFileSync(exportedFile, 'utf8')) as Exported;
  const file = join(mkdtempSync(join(tmpdir(), 'ctx-opencode-')), 'opencode.db');
  databaseOf(file, [{ exported, updated: 1 }]);
  const [stored, other] = [await readSession(file), await readSession(exportedFile)];
  expect(stored.messages).toEqual(other.messages);
  expect(stored.usage).toEqual(other.usage);
  expect(stored.model).toBe(other.model);
});

test('an empty file and a database of another program are named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-opencode-'));
  const [empty, foreign] = [join(folder, 'empty.db'), join(folder, 'foreign.db')];
  writeFileSync(empty, '');
  await expect(readSession(empty)).rejects.toMatchObject({ code: 'session-empty' });
  const database = new DatabaseSync(foreign);
  database.exec('create table notes (text)');
  database.close();
  await expect(readSession(foreign)).rejects.toThrow('The file is not a database of OpenCode');
  writeFileSync(foreign, 'no database at all, only some text that is long enough to be read as one');
  await expect(readSession(foreign)).rejects.toThrow('The file is not a database of OpenCode');
});
