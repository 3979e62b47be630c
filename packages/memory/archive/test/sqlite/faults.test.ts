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
import { loadSqlite } from '../../src/sqlite/driver.js';
import { archiveError } from '../../src/sqlite/errors.js';
import { salvageArchive, sqliteArchive } from '../../src/sqlite.js';
import { codeOf, entry, textOf } from '../entries.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
  file = join(folder, 'new', 'archive.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('everything it writes is readable for its owner only', async () => {
  const archive = await sqliteArchive(file);
  await archive.put([entry(1)]);
  for (const one of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(one).mode & 0o777).toBe(0o600);
  await archive.close();
});

test('the database of another program is refused, and gets no tables', async () => {
  const foreign = join(folder, 'foreign.db');
  const { DatabaseSync } = await loadSqlite();
  for (const version of [0, 1]) {
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
  const archive = await sqliteArchive(file);
  await archive.put([entry(1)]);
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

test('a database of another form is refused and left as it is', async () => {
  const { DatabaseSync } = await loadSqlite();
  const other = join(folder, 'other.db');
  const database = new DatabaseSync(other);
  database.exec('create table mine (a); pragma user_version = 7');
  database.close();
  expect(await codeOf(sqliteArchive(other))).toBe('archive-unavailable');
});

test('a damaged file gives typed errors, wherever it is damaged', async () => {
  const archive = await sqliteArchive(file);
  for (let message = 1; message <= 60; message += 1)
    await archive.put([entry(message, `word${message} `.repeat(200))]);
  await archive.close();
  const whole = readFileSync(file);
  const seen = new Set<unknown>();
  for (let page = 0; page < whole.length / 4096; page += 3) {
    const damaged = Buffer.from(whole);
    damaged.fill(0xa5, page * 4096, page * 4096 + 4096);
    rmSync(`${file}-wal`, { force: true });
    writeFileSync(file, damaged);
    const code = await codeOf(
      (async () => {
        const opened = await sqliteArchive(file);
        try {
          await opened.search('word7', { conversation: 'one' });
          for (let message = 1; message <= 60; message += 1)
            await opened.get(`#m${message}`, { conversation: 'one' });
          await opened.put([entry(61)]);
        } finally {
          await opened.close();
        }
      })(),
    );
    seen.add(code);
  }
  seen.delete(undefined);
  expect([...seen]).toEqual(['archive-corrupt']);
});

test('an archive that is emptied while it is open takes nothing more, and what is beside it stays', async () => {
  const archive = await sqliteArchive(file);
  await archive.put([entry(1)]);
  truncateSync(file, 0);
  expect(await codeOf(archive.put([entry(2)]))).toBe('archive-corrupt');
  expect(await codeOf(sqliteArchive(file))).toBe('archive-corrupt');
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
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

test('nothing is saved over a file, and nothing of what is no archive', async () => {
  const archive = await sqliteArchive(file);
  await archive.close();
  expect(await codeOf(salvageArchive(file, file))).toBe('config-invalid');
  const notes = join(folder, 'notes.txt');
  writeFileSync(notes, 'some notes of mine\n'.repeat(500));
  expect(await codeOf(salvageArchive(notes, join(folder, 'saved.db')))).toBe('archive-corrupt');
  expect(await codeOf(salvageArchive(join(folder, 'nowhere.db'), join(folder, 'saved.db')))).toBe(
    'archive-unavailable',
  );
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
  expect(await codeOf(archive.get(`#m${message + 1_000}`, { conversation: 'one' }))).toBe(
    'archive-ref-unknown',
  );
  expect(await textOf(archive, message - 1)).toContain(`word${message - 1}`);
  await archive.forget('one', { from: '#m2' });
  await archive.put([entry(2, 'room again')]);
  expect(await textOf(archive, 2)).toBe('room again');
  await archive.close();
});

test('what another process has locked can be read, and written when it lets go', async () => {
  const archive = await sqliteArchive(file, { busyTimeout: 1 });
  await archive.put([entry(1)]);
  const { DatabaseSync } = await loadSqlite();
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

test('nothing is put into a file that was deleted', async () => {
  const archive = await sqliteArchive(file);
  await archive.put([entry(1)]);
  rmSync(file);
  expect(await codeOf(archive.put([entry(2)]))).toBe('archive-unavailable');
  await archive.close();
  expect(await codeOf(sqliteArchive(join(file, 'below', 'a', 'file')))).toBeUndefined();
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
