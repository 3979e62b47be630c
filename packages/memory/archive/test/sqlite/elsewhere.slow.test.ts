import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSqlite } from '../../src/sqlite/driver.js';
import { salvageArchive, sqliteArchive } from '../../src/sqlite.js';
import { codeOf } from '../entries.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
  file = join(folder, 'archive.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes an archive in another process, and takes all of it into its file. */
async function writtenElsewhere(messages: number): Promise<void> {
  const door = pathToFileURL(join(__dirname, '../../dist/sqlite.js')).href;
  const writer = join(__dirname, 'writer.mjs');
  spawnSync(process.execPath, [writer, door, file, 'one', '1', String(messages)]);
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

test('a file that is cut off or emptied is damaged, and not locked or gone', async () => {
  await writtenElsewhere(60);
  const { size } = statSync(file);
  for (const left of [size - 4096, Math.floor(size / 2), 10_000, 4096, 100]) {
    truncateSync(file, left);
    expect(
      await codeOf(sqliteArchive(file).then((opened) => opened.get('#m1', { conversation: 'one' }))),
    ).toBe('archive-corrupt');
  }
});

test('what can be read of a damaged archive is saved, wherever it is damaged', async () => {
  await writtenElsewhere(60);
  const whole = readFileSync(file);
  let saved = 0;
  for (let page = 1; page < whole.length / 4096; page += 4) {
    const wreck = join(folder, `wreck-${page}.db`);
    const damaged = Buffer.from(whole).fill(0xa5, page * 4096, page * 4096 + 4096);
    writeFileSync(wreck, damaged);
    const to = join(folder, `saved-${page}.db`);
    const result = await salvageArchive(wreck, to).catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'archive-corrupt' });
    });
    expect(readFileSync(wreck).equals(damaged)).toBe(true);
    if (result === undefined) continue;
    saved += 1;
    const archive = await sqliteArchive(to);
    let messages = 0;
    for (let message = 1; message <= 60; message += 1)
      if ((await codeOf(archive.get(`#m${message}`, { conversation: 'one' }))) === undefined) messages += 1;
    expect(messages).toBeGreaterThan(result.lost === 0 ? 59 : 30);
    expect((await archive.search('words to index', { conversation: 'one' })).length).toBeGreaterThan(0);
    await archive.close();
  }
  expect(saved).toBeGreaterThan(5);
});

test('two processes that write the same conversation at the same time lose nothing', async () => {
  const door = pathToFileURL(join(__dirname, '../../dist/sqlite.js')).href;
  const each = 60;
  const write = (first: number) =>
    new Promise<number | null>((done) => {
      const args = [join(__dirname, 'writer.mjs'), door, file, 'one', String(first), String(each)];
      spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', done);
    });
  // Half of the messages of one are also the other's.
  expect(await Promise.all([write(1), write(1 + each / 2)])).toEqual([0, 0]);
  const archive = await sqliteArchive(file);
  for (let message = 1; message <= each * 1.5; message += 1)
    expect(await archive.get(`#m${message}`, { conversation: 'one' })).toHaveLength(2);
  await archive.close();
});
