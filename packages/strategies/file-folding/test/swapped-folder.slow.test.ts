import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { foldFiles } from '../src/index.js';

const counter = { count: (text: string) => text.length };

test('a folder that is sometimes a link to the outside never gives anything from there', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-fold-')));
  const cwd = join(base, 'project');
  for (const folder of ['project/src', 'secret']) mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(cwd, 'src/app.ts'), 'export class App {}');
  writeFileSync(join(base, 'secret/app.ts'), 'export class Secret {}');
  symlinkSync(join(base, 'secret'), join(cwd, 'link'));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { renameSync } = require('node:fs');
     const { workerData: { cwd, stop } } = require('node:worker_threads');
     const move = (...moves) => { for (const [from, to] of moves) renameSync(cwd + '/' + from, cwd + '/' + to); };
     while (Atomics.load(stop, 0) === 0) {
       move(['src', 'kept'], ['link', 'src']);
       move(['src', 'link'], ['kept', 'src']);
     }`,
    { eval: true, workerData: { cwd, stop } },
  );
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  const found = new Set<string>();
  for (let round = 0; round < 3_000; round += 1) {
    const { content } = await foldFiles(['src/app.ts'], { cwd, counter, ignore: false });
    found.add(content);
  }
  Atomics.store(stop, 0, 1);
  await ended;
  expect([...found].filter((content) => content.includes('Secret'))).toEqual([]);
  expect([...found].some((content) => content.includes('class App'))).toBe(true);
  rmSync(base, { recursive: true, force: true });
}, 60_000);
