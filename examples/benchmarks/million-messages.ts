/**
 * Says how memory and snapshots grow in a conversation of a million small messages with `memory: 'archive'`, with an archive in SQLite.
 * Usage: node --expose-gc --import tsx examples/benchmarks/million-messages.ts [messages] [pipeline], after a build
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteArchive } from '@ctx/archive/sqlite';
import type { ContextManager } from '@ctx/core';
import { createContextManager, restore } from '@ctx/presets';

const total = Number(process.argv[2] ?? 1_000_000);
const pipeline = (process.argv[3] ?? 'oldest-removal').split(',');
const folder = mkdtempSync(join(tmpdir(), 'ctx-million-'));
const file = join(folder, 'archive.db');
const archive = await sqliteArchive(file);
const options = {
  archive,
  memory: 'archive',
  config: { contextWindow: 8_000, pipeline, trigger: { fraction: 0.8 } },
} as const;

const heapMB = () => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};

let manager: ContextManager = createContextManager(options);
manager.append({ role: 'system', content: 'You help.' });
const started = Date.now();
const step = total / 10;
try {
  for (let number = 1; number <= total; number += 1) {
    manager.append(
      number % 2 === 1
        ? { role: 'user', content: `Question ${number}: what is in drawer ${number % 977}?` }
        : {
            role: 'assistant',
            content: `Drawer ${(number - 1) % 977} has ${number * 7919} screws of kind k${number % 31}.`,
          },
    );
    if (number % 20 === 0) await manager.checkAndCompress({ beforeSend: true });
    if (number % 500 === 0) await manager.archived();
    if (number % step !== 0) continue;
    await manager.archived();
    const snapshot = JSON.stringify(manager.snapshot());
    // Every tenth of the way in a process that knows nothing but the snapshot.
    manager = restore(JSON.parse(snapshot), options);
    const heap = heapMB();
    console.log(
      [
        `${number} messages`,
        `heap ${heap.toFixed(1)} MB`,
        `in memory ${manager.transcript.length}`,
        `snapshot ${(snapshot.length / 1000).toFixed(0)} kB`,
        `archive ${(statSync(file).size / 1e6).toFixed(0)} MB`,
        `${((Date.now() - started) / 1000).toFixed(0)} s`,
        manager.warnings.join(' '),
      ].join(', '),
    );
  }
  const found = await manager.find(`drawer ${(total / 2 + 1) % 977} screws`);
  console.log(
    `found ${found.length} passages; #m1001 is ${(await manager.read('#m1001')).map(({ text }) => text).join('')}`,
  );
} finally {
  await archive.close();
  rmSync(folder, { recursive: true });
}
