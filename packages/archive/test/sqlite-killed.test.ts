import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '@ctx/core';
import { sqliteArchive } from '../src/sqlite.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const kills = 200;
/** Ms. Four hundred starts and openings; a limit against a hang, not a measure. */
const testTimeout = 600_000;
/** Lines that a writer prints before it is killed, at most; it is killed at any moment after the line. */
const mostLines = 6;
/** Ms. A put takes about one; a longer wait would hit nothing else. */
const longestWait = 4;
const door = pathToFileURL(join(__dirname, '../dist/sqlite.js')).href;

/** Starts a writer and kills it after so many lines. Returns the last message that it said was put. */
function killedAfter(file: string, first: number, lines: number, wait: number): Promise<number> {
  const writer = spawn(process.execPath, [join(__dirname, 'sqlite-writer.mjs'), door, file, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let due = false;
  return new Promise((done, fail) => {
    writer.on('error', fail);
    writer.stdout.on('data', (chunk) => {
      printed += chunk;
      if (due || printed.split('\n').length <= lines) return;
      due = true;
      setTimeout(() => writer.kill('SIGKILL'), wait);
    });
    writer.on('close', (code) => {
      if (code !== null) fail(new Error(`The writer ended by itself: ${printed}`));
      const said = printed.split('\n').filter((line) => /^\d+$/.test(line));
      done(Number(said.at(-1) ?? first - 1));
    });
  });
}

test(
  `a process that is killed ${kills} times while it writes loses nothing and leaves nothing half`,
  async () => {
    const file = join(folder, 'killed.db');
    const random = seededRandom(7);
    let last = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const lines = 1 + Math.floor(random() * mostLines);
      const first = last + 1;
      last = await killedAfter(file, first, lines, Math.floor(random() * longestWait));
      const archive = await sqliteArchive(file);
      try {
        for (let message = first; message <= last; message += 1)
          expect(await archive.get(`#m${message}`, { conversation: 'one' })).toHaveLength(2);
        // A put that was not reported may be there, but only as a whole.
        const more = await archive.get(`#m${last + 1}`, { conversation: 'one' }).catch(({ code }) => code);
        if (more === 'archive-ref-unknown') continue;
        expect(more).toHaveLength(2);
        expect(
          await archive.search(`message ${last + 1}`, { conversation: 'one', within: `#m${last + 1}` }),
        ).not.toEqual([]);
        last += 1;
      } finally {
        await archive.close();
      }
    }
    const archive = await sqliteArchive(file);
    for (let message = 1; message <= last; message += 1)
      expect(await archive.get(`#m${message}`, { conversation: 'one' })).toHaveLength(2);
    await archive.close();
  },
  testTimeout,
);
