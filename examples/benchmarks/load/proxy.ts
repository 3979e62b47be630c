// The proxy, with what it takes of time and memory while it runs.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startProxy } from '@ctx/proxy';
import { longPauses, pausesIn, tell } from './process.js';

/** What the proxy took in some seconds. */
export interface Interval {
  readonly rss: number;
  readonly heap: number;
  /** Ms of the longest pause of the event loop. */
  readonly pause: number;
}

export interface ProxyReport {
  readonly intervals: readonly Interval[];
  /** Ms of pauses of the event loop: 50, 99, 99.9 and 100 % are shorter. */
  readonly pauses: readonly number[];
  /** How many were over 20 ms. */
  readonly over20: number;
  readonly cpuMs: number;
  readonly compressions: number;
  /** What keeps the process open, by kind. */
  readonly open: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

const [upstream = '', window = '', store = ''] = process.argv.slice(2);
/** Ms between two looks at memory and pauses: six to a minute. */
const everyMs = 10_000;

const all = monitorEventLoopDelay({ resolution: 1 });
const recent = monitorEventLoopDelay({ resolution: 1 });
let intervals: Interval[] = [];
let begun = process.cpuUsage();
const long = longPauses();

const running = await startProxy({
  upstream,
  port: 0,
  config: { contextWindow: Number(window) },
  ...(store !== '' && { store }),
  onWarning: ({ code }) => console.error(code),
});

function countsOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function report(): ProxyReport {
  const { user, system } = process.cpuUsage(begun);
  const { conversations, warnings } = running.status();
  return {
    intervals,
    pauses: pausesIn(all),
    over20: long.count,
    cpuMs: (user + system) / 1_000,
    compressions: conversations.reduce((sum, one) => sum + one.compressions, 0),
    open: countsOf(process.getActiveResourcesInfo()),
    warnings: warnings.map(({ code }) => code),
  };
}

function begin(): void {
  long.count = 0;
  intervals = [];
  begun = process.cpuUsage();
  all.reset();
  recent.reset();
}

process.on('message', (message) => {
  if (message === 'begin') begin();
  else tell(report());
});
process.on('disconnect', () => process.exit());
setInterval(() => {
  const { rss, heapUsed: heap } = process.memoryUsage();
  intervals.push({ rss, heap, pause: recent.max / 1e6 });
  recent.reset();
}, everyMs).unref();
all.enable();
recent.enable();
tell(running.url);
