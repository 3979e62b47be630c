import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readFiles } from '@ctx/file-reading';

test('a folder that is sometimes a link out gives nothing from outside, in many rounds', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-swapped-')));
  const root = join(base, 'root');
  for (const folder of ['root/folder', 'outside']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(root, 'folder', 'file'), 'what is inside');
  writeFileSync(join(base, 'outside', 'file'), 'a secret');
  symlinkSync(join(base, 'outside'), join(root, 'link'));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { renameSync } = require('node:fs');
     const { workerData: { root, stop } } = require('node:worker_threads');
     const at = (name) => root + '/' + name;
     const move = (...moves) => { for (const [from, to] of moves) renameSync(at(from), at(to)); };
     while (Atomics.load(stop, 0) === 0) {
       move(['folder', 'kept'], ['link', 'folder']);
       move(['folder', 'link'], ['kept', 'folder']);
     }`,
    { eval: true, workerData: { root, stop } },
  );
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const found = new Set<string>();
  for (let round = 0; round < 4_000; round += 1) {
    const { files } = await readFiles([join(root, 'folder', 'file')], { root });
    for (const file of files) found.add(file.status === 'read' ? file.content : file.status);
  }
  Atomics.store(stop, 0, 1);
  await ended;
  expect(found).not.toContain('a secret');
  expect(found).toContain('what is inside');
  rmSync(base, { recursive: true });
}, 60_000);
