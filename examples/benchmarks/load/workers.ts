// The proxy as two workers of node:cluster, which share their conversations through a store.

import cluster from 'node:cluster';
import { startProxy } from '@ctx/proxy';
import { tell } from './process.js';
import type { ProxyReport } from './proxy.js';

const [upstream = '', window = '', store = ''] = process.argv.slice(2);
/** As many as the thread and the server are together. */
const workers = 2;

/** What the primary knows of its workers. */
const nothing: ProxyReport = {
  intervals: [],
  pauses: [],
  threadPauses: [],
  over20: {},
  collections: {},
  cpuMs: 0,
  compressions: 0,
  open: {},
  warnings: [],
};

function lead(): void {
  cluster.setupPrimary({ args: process.argv.slice(2) });
  let listening = 0;
  cluster.on('listening', (_, { port }) => {
    listening += 1;
    if (listening === workers) tell(`http://127.0.0.1:${port}`);
  });
  const started = Array.from({ length: workers }, () => cluster.fork());
  process.on('message', (message) => {
    if (message === 'report') tell(nothing);
  });
  process.on('disconnect', () => {
    for (const worker of started) worker.kill();
    process.exit();
  });
}

if (cluster.isPrimary) lead();
else await startProxy({ upstream, port: 0, config: { contextWindow: Number(window) }, store });
