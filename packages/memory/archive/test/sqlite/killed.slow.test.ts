import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Archive, seededRandom } from '@ctx/core';
import { sqliteArchive } from '../../src/sqlite.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const kills = 200;
/** Each writes a conversation of its own into the same file, and is killed while the others go on. */
const writers = ['one', 'two', 'three', 'four'];
/** Ms. Two hundred starts; a limit against a hang, not a measure. */
const testTimeout = 600_000;
/** Lines that a writer prints before it is killed, at most; it is killed at any moment after the line. */
const mostLines = 6;
/** Ms. A put takes about one; a longer wait would hit nothing else. */
const longestWait = 4;
const door = pathToFileURL(join(__dirname, '../../dist/sqlite.js')).href;

interface Kill {
  readonly conversation: string;
  /** The message that the writer begins with. */
  readonly first: number;
  readonly lines: number;
  readonly wait: number;
}

/** Starts a writer and kills it after so many lines. Returns the last message that it said was put. */
function killedAfter(file: string, { conversation, first, lines, wait }: Kill): Promise<number> {
  const args = [join(__dirname, 'writer.mjs'), door, file, conversation, String(first)];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
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

/** Expects every message that was reported, whole. One more may be there, but only as a whole. Returns the last one. */
async function lastOf(archive: Archive, { conversation, first }: Kill, reported: number): Promise<number> {
  for (let message = first; message <= reported; message += 1)
    expect(await archive.get(`#m${message}`, { conversation })).toHaveLength(2);
  const next = reported + 1;
  const more = await archive.get(`#m${next}`, { conversation }).catch(({ code }) => code);
  if (more === 'archive-ref-unknown') return reported;
  expect(more).toHaveLength(2);
  expect(await archive.search(`message ${next}`, { conversation, within: `#m${next}` })).not.toEqual([]);
  return next;
}

test(
  `processes that are killed ${kills} times while they write lose nothing and leave nothing half`,
  async () => {
    const file = join(folder, 'killed.db');
    const random = seededRandom(7);
    const last = new Map(writers.map((conversation) => [conversation, 0]));
    for (let round = 0; round < kills / writers.length; round += 1) {
      const planned = [...last].map(([conversation, before]) => ({
        conversation,
        first: before + 1,
        lines: 1 + Math.floor(random() * mostLines),
        wait: Math.floor(random() * longestWait),
      }));
      const reported = await Promise.all(planned.map((kill) => killedAfter(file, kill)));
      const archive = await sqliteArchive(file);
      try {
        for (const [at, kill] of planned.entries())
          last.set(kill.conversation, await lastOf(archive, kill, reported[at] as number));
      } finally {
        await archive.close();
      }
    }
    const archive = await sqliteArchive(file);
    for (const [conversation, messages] of last) {
      expect(messages).toBeGreaterThan(0);
      for (let message = 1; message <= messages; message += 1)
        expect(await archive.get(`#m${message}`, { conversation })).toHaveLength(2);
    }
    await archive.close();
  },
  testTimeout,
);
