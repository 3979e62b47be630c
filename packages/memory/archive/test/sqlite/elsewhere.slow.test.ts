import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadSqlite } from '../../src/sqlite/database.js';
import { sqliteArchive } from '../../src/sqlite.js';
import { entry, textOf } from '../entries.js';

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
  const { DatabaseSync } = await loadSqlite('a test');
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

test('a file that is cut off is put aside, and the archive goes on with a new one', async () => {
  await writtenElsewhere(60);
  const whole = readFileSync(file);
  for (const left of [whole.length - 4096, Math.floor(whole.length / 2), 10_000, 4096, 100]) {
    const cut = join(folder, `cut-${left}.db`);
    writeFileSync(cut, whole.subarray(0, left));
    const archive = await sqliteArchive(cut);
    const error = await archive.search('words', { conversation: 'one' }).then(
      () => archive.get('#m1', { conversation: 'one' }),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'archive-corrupt' });
    expect(String(error)).toContain(`${cut}.damaged-1`);
    expect(String(error)).toContain(`A new one is begun at ${cut}`);
    expect(readFileSync(`${cut}.damaged-1`)).toEqual(whole.subarray(0, left));
    await archive.put([entry(1)]);
    expect(await textOf(archive, 1)).toBe('text 1');
    await archive.close();
  }
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
