import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newNode } from '@ctx/agents-test';

const node = newNode();
const testWithNode = node === undefined ? test.skip : test;
const missing = `node-${process.platform}-${process.arch} is not installed, and this Node is too old`;
const title =
  "the archive in SQLite works with Node's own, and with the files of the package that stands in for it";

testWithNode(node === undefined ? `${title} (skipped: ${missing})` : title, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-archive-'));
  const door = pathToFileURL(join(__dirname, '../../../memory/archive/dist/sqlite.js')).href;
  const script = `
    const { sqliteArchive } = await import(${JSON.stringify(door)});
    const archive = await sqliteArchive(${JSON.stringify(join(folder, 'archive.db'))});
    const message = Number(process.argv[1]);
    await archive.put([{ conversation: 'one', message, part: 0, line: 1, kind: 'user', heading: 'user', text: 'word' + message, time: 0 }]);
    const found = await archive.search('word1 word2', { conversation: 'one' });
    await archive.close();
    const loaded = process.getBuiltinModule?.('node:sqlite') === undefined ? 'package' : 'own';
    console.log(JSON.stringify([loaded, ...found.map(({ text }) => text).sort()]));`;
  const run = (program: string, message: number) =>
    JSON.parse(
      execFileSync(program, ['--input-type=module', '-e', script, String(message)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
  try {
    expect(run(String(node), 1)).toEqual(['own', 'word1']);
    expect(run(process.execPath, 2).slice(1)).toEqual(['word1', 'word2']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
