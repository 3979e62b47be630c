// The proxy, with what it takes of time and memory while it runs.

import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { startProxy } from '@ctx/proxy';
import { tell } from './process.js';

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
  /** Pauses that were longer than so many ms. */
  readonly over20: number;
  /** Ms of the longest collection of garbage. */
  readonly collection: number;
  readonly cpuMs: number;
  readonly compressions: number;
  /** What keeps the process open, by kind. */
  readonly open: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

const [upstream = '', window = '', store = ''] = process.argv.slice(2);
/** Ms between two looks at memory and pauses: six to a minute. */
const everyMs = 10_000;
/** Ms. No pause should be longer. */
const longestPause = 20;

const all = monitorEventLoopDelay({ resolution: 1 });
const recent = monitorEventLoopDelay({ resolution: 1 });
let intervals: Interval[] = [];
let [collection, over20] = [0, 0];
let begun = process.cpuUsage();
// A timer of its own counts what the histogram does not: how often.
let last = performance.now();
setInterval(() => {
  const time = performance.now();
  if (time - last > longestPause) over20 += 1;
  last = time;
}, 2).unref();
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collection = Math.max(collection, duration);
}).observe({ entryTypes: ['gc'] });

const running = await startProxy({
  upstream,
  port: 0,
  config: { contextWindow: Number(window) },
  ...(store !== '' && { store }),
  onWarning: ({ code }) => console.error(code),
});

function openNow(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

function report(): ProxyReport {
  const { user, system } = process.cpuUsage(begun);
  const { conversations, warnings } = running.status();
  return {
    intervals,
    pauses: [50, 99, 99.9, 100].map((part) => (part === 100 ? all.max : all.percentile(part)) / 1e6),
    over20,
    collection,
    cpuMs: (user + system) / 1_000,
    compressions: conversations.reduce((sum, one) => sum + one.compressions, 0),
    open: openNow(),
    warnings: warnings.map(({ code }) => code),
  };
}

function begin(): void {
  [collection, over20] = [0, 0];
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
