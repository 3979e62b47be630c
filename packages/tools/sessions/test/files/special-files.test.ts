import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findSessions, readSession, sessionFilesIn } from '@ctx/sessions';
import { openRegular } from '../../src/files/regular-file.js';
import { expectRefused, jsonLines, outline, sessionFile } from '../session-file.js';

/** A path with the name of a session at which nothing is yet. */
function freePath(name = 'session.jsonl'): string {
  return join(dirname(sessionFile('')), `new-${name}`);
}

function pipe(name?: string): string {
  const path = freePath(name);
  execFileSync('mkfifo', [path]);
  return path;
}

function linkTo(target: (path: string) => string, name?: string): string {
  const path = freePath(name);
  symlinkSync(target(path), path);
  return path;
}

test.each([
  ['a missing path', () => freePath(), 'There is no such file'],
  ['a folder', () => dirname(sessionFile('')), 'is a directory'],
  ['a pipe', () => pipe(), 'not a regular file'],
  ['a link to a pipe', () => linkTo(() => pipe()), 'not a regular file'],
  ['a device', () => '/dev/zero', 'not a regular file'],
  ['a pipe with the name of a database', () => pipe('opencode.db'), 'not a regular file'],
  ['a link to itself', () => linkTo((path) => path), 'leads back to itself'],
  ['a database that links to itself', () => linkTo((path) => path, 'opencode.db'), 'leads back to itself'],
  ['a folder with the name of a database', () => dirname(sessionFile('', 'x.db')), 'is a directory'],
])('%s is refused and never waited for', async (_what, make, problem) => {
  const path = make();
  const error = await expectRefused(readSession(path), 'session-unreadable', path);
  expect(error.message).toContain(problem);
});

test('a link to a session is read', async () => {
  const target = sessionFile(jsonLines({ role: 'user', content: 'one' }));
  const { messages } = await readSession(linkTo(() => target));
  expect(outline(messages)).toEqual(['user one']);
});

test('a file that a pipe replaces after it was looked at is refused as well', async () => {
  const path = sessionFile('');
  const swapped = openRegular(path, () => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  });
  await expectRefused(swapped, 'session-unreadable', path);
});

test('a pipe is no session of an agent, and not the newest of a folder', async () => {
  const home = dirname(sessionFile(''));
  const folder = join(home, '.local/share/opencode');
  mkdirSync(folder, { recursive: true });
  execFileSync('mkfifo', [join(folder, 'opencode.db')]);
  execFileSync('mkfifo', [join(folder, 'newest.jsonl')]);
  expect(await findSessions({ home, env: {} })).toEqual([]);
  expect(await sessionFilesIn(folder)).toEqual([]);
});
