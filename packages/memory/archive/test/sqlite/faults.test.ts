import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextManager } from '@ctx/core';
import { archiveError, loadSqlite } from '../../src/sqlite/database.js';
import { sqliteArchive } from '../../src/sqlite.js';
import { codeOf, entry, textOf } from '../entries.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
  file = join(folder, 'new', 'archive.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A new archive with an entry. */
async function begun() {
  const archive = await sqliteArchive(file);
  await archive.put([entry(1)]);
  return archive;
}

test('everything it writes is readable for its owner only', async () => {
  const archive = await begun();
  for (const one of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await archive.close();
});

test('the database of another program is refused, and gets no tables', async () => {
  const foreign = join(folder, 'foreign.db');
  const { DatabaseSync } = await loadSqlite('a test');
  for (const version of [0, 1, 7]) {
    const database = new DatabaseSync(foreign);
    database.exec(`create table if not exists notes (text); pragma user_version = ${version}`);
    database.close();
    expect(await codeOf(sqliteArchive(foreign))).toBe('archive-unavailable');
    await expect(sqliteArchive(foreign)).rejects.toThrow(/another program, with the tables notes/);
    const again = new DatabaseSync(foreign, { readOnly: true });
    expect(again.prepare('select name from sqlite_master').all()).toEqual([{ name: 'notes' }]);
    again.close();
  }
});

test('it is there again when it is opened again', async () => {
  const archive = await begun();
  await archive.close();
  const again = await sqliteArchive(file);
  expect(await textOf(again, 1)).toBe('text 1');
  await again.close();
});

test('a file that is no archive is refused and left as it is', async () => {
  const other = join(folder, 'notes.txt');
  writeFileSync(other, 'some notes of mine\n'.repeat(500));
  expect(await codeOf(sqliteArchive(other))).toBe('archive-corrupt');
  expect(readFileSync(other, 'utf8')).toBe('some notes of mine\n'.repeat(500));
});

test('a damaged file is put aside wherever it is damaged, and the archive goes on with a new one', async () => {
  const archive = await sqliteArchive(file);
  for (let message = 1; message <= 60; message += 1)
    await archive.put([entry(message, `word${message} `.repeat(200))]);
  await archive.close();
  const whole = readFileSync(file);
  let noticed = 0;
  // The first page says that it is a file of SQLite.
  for (let page = 1; page < whole.length / 4096; page += 3) {
    const damaged = Buffer.from(whole).fill(0xa5, page * 4096, page * 4096 + 4096);
    const wreck = join(folder, `wreck-${page}.db`);
    writeFileSync(wreck, damaged);
    const opened = await sqliteArchive(wreck);
    const error = await (async () => {
      await opened.search('word7', { conversation: 'one' });
      for (let message = 1; message <= 60; message += 1)
        await opened.get(`#m${message}`, { conversation: 'one' });
      await opened.put([entry(61)]);
    })().catch((thrown: unknown) => thrown);
    if (error !== undefined) {
      noticed += 1;
      expect(error).toMatchObject({ code: 'archive-corrupt' });
      expect(String(error)).toContain(`It is now ${wreck}.damaged-1. A new one is begun at ${wreck}`);
      expect(readFileSync(`${wreck}.damaged-1`).equals(damaged)).toBe(true);
    }
    await opened.put([entry(62)]);
    expect(await textOf(opened, 62)).toBe('text 62');
    await opened.close();
  }
  expect(noticed).toBeGreaterThan(5);
});

test('a manager writes all of it again after its archive was damaged, and says both names', async () => {
  const manager = new ContextManager({ archive: await sqliteArchive(file), conversation: 'one' });
  for (let number = 0; number < 5; number += 1) {
    manager.append({ role: 'user', content: `question ${number}` });
    manager.append({ role: 'assistant', content: `answer ${number}` });
  }
  const drop = (...messages: string[]) => {
    const plan = () => ({ edits: [{ type: 'drop' as const, messages, reason: 'old' }] });
    return manager.compress({ strategy: { name: 'dropping', emits: ['drop'], plan }, targetTokens: 1 });
  };
  await drop('m1', 'm2', 'm3', 'm4');
  expect(await manager.archived()).toBe(true);
  truncateSync(file, 0);
  const failed: unknown[] = [];
  manager.on('archive-fail', ({ error }) => failed.push(error));
  await drop('m5', 'm6');
  expect(await manager.archived()).toBe(true);
  expect(failed.map(String).join()).toContain(`It is now ${file}.damaged-1. A new one is begun at ${file}`);
  expect(manager.warnings.filter((text) => text.includes('archived'))).toEqual([]);
  for (const number of [0, 2]) {
    const found = await manager.find(`question ${number}`);
    expect(found.map(({ text }) => text)).toContain(`question ${number}`);
  }
});

test('an archive that is emptied while it is open is put aside with what is beside it', async () => {
  const archive = await begun();
  truncateSync(file, 0);
  expect(await codeOf(archive.put([entry(2)]))).toBe('archive-corrupt');
  expect(statSync(`${file}.damaged-1-wal`).size).toBeGreaterThan(0);
  await archive.put([entry(2)]);
  expect(await textOf(archive, 2)).toBe('text 2');
  await archive.close();
});

test('an empty file is a new archive', async () => {
  const empty = join(folder, 'empty.db');
  writeFileSync(empty, '');
  const archive = await sqliteArchive(empty);
  await archive.put([entry(1)]);
  expect(await textOf(archive, 1)).toBe('text 1');
  await archive.close();
});

test('a full archive refuses what does not fit, whole, and takes more when there is room', async () => {
  const archive = await sqliteArchive(file, { maxBytes: 400_000 });
  let message = 0;
  let code: unknown;
  while (code === undefined) {
    message += 1;
    code = await codeOf(archive.put([entry(message, `word${message} `.repeat(300)), entry(message + 1_000)]));
  }
  expect(code).toBe('archive-full');
  expect(message).toBeGreaterThan(5);
  expect(await codeOf(textOf(archive, message + 1_000))).toBe('archive-ref-unknown');
  expect(await textOf(archive, message - 1)).toContain(`word${message - 1}`);
  await archive.forget('one', { from: '#m2' });
  await archive.put([entry(2, 'room again')]);
  expect(await textOf(archive, 2)).toBe('room again');
  await archive.close();
});

test('what another process has locked can be read, and written when it lets go', async () => {
  const archive = await sqliteArchive(file, { busyTimeout: 1 });
  await archive.put([entry(1)]);
  const { DatabaseSync } = await loadSqlite('a test');
  const other = new DatabaseSync(file);
  other.exec('begin immediate');
  expect(await codeOf(archive.put([entry(2)]))).toBe('archive-unavailable');
  expect(await textOf(archive, 1)).toBe('text 1');
  other.exec('rollback');
  other.close();
  await archive.put([entry(2)]);
  expect(await textOf(archive, 2)).toBe('text 2');
  await archive.close();
});

test('nothing is put into a file that was deleted; a new one is begun', async () => {
  const archive = await begun();
  rmSync(file);
  const put = archive.put([entry(2)]);
  await expect(put).rejects.toMatchObject({ code: 'archive-corrupt' });
  await expect(put).rejects.toThrow(`A new one is begun at ${file}`);
  await archive.put([entry(2)]);
  expect(await textOf(archive, 2)).toBe('text 2');
  await archive.close();
});

test('a path where no file can be is refused', async () => {
  const plain = join(folder, 'plain');
  writeFileSync(plain, '');
  expect(await codeOf(sqliteArchive(join(plain, 'archive.db')))).toBe('archive-unavailable');
  expect(await codeOf(sqliteArchive(folder))).toBe('archive-unavailable');
  expect(await codeOf(sqliteArchive(''))).toBe('config-invalid');
});

test('a pipe, a device or a link to itself is refused and never waited for', async () => {
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
  execFileSync('mkfifo', [pipe]);
  symlinkSync(link, link);
  for (const path of [pipe, link, '/dev/zero'])
    expect(await codeOf(sqliteArchive(path))).toBe('archive-unavailable');
});

test.each([
  [5, 'archive-unavailable'],
  [5 | (2 << 8), 'archive-unavailable'],
  [8, 'archive-unavailable'],
  [11, 'archive-corrupt'],
  [13, 'archive-full'],
  [14, 'archive-unavailable'],
  [26, 'archive-corrupt'],
  [10, 'archive-unavailable'],
  [10 | (2 << 8), 'archive-corrupt'],
])('the result %p of SQLite is %s', (errcode, code) => {
  expect(archiveError(Object.assign(new Error('of SQLite'), { errcode }))).toMatchObject({ code });
});
