// Options of the proxy that its thread of conversations loads: there, it says every ten seconds what memory and pauses that thread has.
// Not in TypeScript, which threads of Node 20 do not read.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

const channelName = 'thread of conversations';
/** As often as the proxy looks at its own. */
const everyMs = 10_000;

if (!isMainThread) {
  const channel = new BroadcastChannel(channelName);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  channel.onmessage = () => delay.reset();
  setInterval(() => {
    const pauses = [50, 99, 99.9, 100].map(
      (part) => (part === 100 ? delay.max : delay.percentile(part)) / 1e6,
    );
    channel.postMessage({ heap: process.memoryUsage().heapUsed, pauses });
  }, everyMs);
}

export default {};
