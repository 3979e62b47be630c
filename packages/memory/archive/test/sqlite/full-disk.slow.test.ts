import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'ctx-archive-full-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command with a disk of its own at the folder, which ends with it. */
const onDisk = (megabytes: number, command: string): readonly string[] => [
  '-Urm',
  'sh',
  '-c',
  `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && ${command}`,
  folder,
];
const canMount = spawnSync('unshare', onDisk(1, 'true')).status === 0;
const testWithDisk = canMount ? test : test.skip;

testWithDisk.each([1, 6])(
  'a full disk of %i MB loses nothing, and once it has room the archive goes on (skipped where no disk can be mounted)',
  (megabytes) => {
    const door = pathToFileURL(join(__dirname, '../../dist/sqlite.js')).href;
    const script = join(__dirname, 'full-disk.mjs');
    const command = `"${process.execPath}" "${script}" "${door}" "$0"`;
    const printed = execFileSync('unshare', onDisk(megabytes, command), { encoding: 'utf8' });
    const said = ['put: archive-full', 'read: done', 'put with room: done', 'read it: done'];
    expect(printed.trim().split('\n')).toEqual(said);
  },
);
