import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findSessions, readSession } from '@ctx/sessions';
import { DatabaseSync } from '@photostructure/sqlite';
import { outline } from '../session-file.js';

/** A database as OpenCode has it, with sessions of one message each. */
function databaseOf(file: string, sessions: readonly { id: string; updated: number; parent?: string }[]) {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`
    pragma journal_mode = wal;
    create table session (id text, parent_id text, time_updated integer);
    create table message (id text, session_id text, time_created integer, data text);
    create table part (id text, message_id text, session_id text, data text);`);
  for (const { id, updated, parent = null } of sessions) {
    database.prepare('insert into session values (?, ?, ?)').run(id, parent, updated);
    const message = JSON.stringify({ time: { created: 1 }, role: 'user' });
    database.prepare('insert into message values (?, ?, 1, ?)').run(`msg_${id}`, id, message);
    const part = JSON.stringify({ type: 'text', text: `hello from ${id}` });
    database.prepare('insert into part values (?, ?, ?, ?)').run(`prt_${id}`, `msg_${id}`, id, part);
  }
  database.close();
}

test('the sessions of a database are found, the newest first, without those of sub-agents', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ctx-opencode-'));
  const file = join(home, '.local/share/opencode/opencode.db');
  databaseOf(file, [
    { id: 'ses_old', updated: 1_000 },
    { id: 'ses_new', updated: 3_000 },
    { id: 'ses_sub', updated: 9_000, parent: 'ses_new' },
  ]);
  const found = await findSessions({ home, env: {} });
  expect(found.map(({ path, modifiedAt, agent }) => [path, modifiedAt, agent])).toEqual([
    [`${file}#ses_new`, 3_000, 'OpenCode'],
    [`${file}#ses_old`, 1_000, 'OpenCode'],
  ]);
  const old = await readSession(`${file}#ses_old`);
  expect(old).toMatchObject({ id: 'ses_old', format: 'opencode' });
  expect(outline(old.messages)).toEqual(['user hello from ses_old']);
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
