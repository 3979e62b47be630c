// Does nothing but measure how long its event loop waits: what of the pauses is the machine's.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { longPauses, pausesIn, tell } from './process.js';

/** What of the pauses is the machine's. */
export interface IdleReport {
  /** Ms: 50, 99, 99.9 and 100 % are shorter. */
  readonly pauses: readonly number[];
  /** How many were over 20 ms. */
  readonly over20: number;
}

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const pauses = longPauses();
process.on('message', (message) => {
  if (message !== 'begin') {
    tell({ pauses: pausesIn(delay), over20: pauses.count } satisfies IdleReport);
    return;
  }
  pauses.count = 0;
  delay.reset();
});
process.on('disconnect', () => process.exit());
tell('ready');
