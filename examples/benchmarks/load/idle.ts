// Does nothing but measure how long its event loop waits: what of the pauses is the machine's.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { tell } from './process.js';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message) => {
  if (message === 'begin') delay.reset();
  else tell([50, 99, 99.9, 100].map((part) => (part === 100 ? delay.max : delay.percentile(part)) / 1e6));
});
process.on('disconnect', () => process.exit());
tell('ready');
