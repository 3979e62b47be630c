// Options of the proxy, which its thread of conversations loads: there, it says every ten seconds what memory and pauses that thread has.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import type { ProxyOptions } from '@ctx/proxy';
import { pausesIn } from './process.js';

/** What the thread of conversations took since it was told to begin. */
export interface ThreadReport {
  readonly heap: number;
  /** Ms of pauses of its event loop: 50, 99, 99.9 and 100 % are shorter. */
  readonly pauses: readonly number[];
}

/** Where it says so, and is told to begin. */
export const channelName = 'thread of conversations';
/** As often as the proxy looks at its own. */
const everyMs = 10_000;

if (!isMainThread) {
  const channel = new BroadcastChannel(channelName);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  channel.onmessage = () => delay.reset();
  setInterval(() => {
    const report: ThreadReport = { heap: process.memoryUsage().heapUsed, pauses: pausesIn(delay) };
    channel.postMessage(report);
  }, everyMs);
}

const options: ProxyOptions = {};
export default options;
