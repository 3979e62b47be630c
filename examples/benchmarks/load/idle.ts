// Does nothing but measure how long its event loop waits: what of the pauses is the machine's.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { tell } from './process.js';

/** What of the pauses is the machine's. */
export interface IdleReport {
  /** Ms: 50, 99, 99.9 and 100 % are shorter. */
  readonly pauses: readonly number[];
  /** How many were over 20 ms. */
  readonly over20: number;
}

/** Ms. No pause should be longer. */
const longestPause = 20;

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
/** Pauses over 20 ms, counted as those of the proxy are. */
let over20 = 0;
let last = performance.now();
setInterval(() => {
  const time = performance.now();
  over20 += time - last > longestPause ? 1 : 0;
  last = time;
}, 2).unref();
process.on('message', (message) => {
  if (message !== 'begin') {
    const pauses = [50, 99, 99.9, 100].map(
      (part) => (part === 100 ? delay.max : delay.percentile(part)) / 1e6,
    );
    tell({ pauses, over20 } satisfies IdleReport);
    return;
  }
  over20 = 0;
  delay.reset();
});
process.on('disconnect', () => process.exit());
tell('ready');
