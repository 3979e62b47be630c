import { VirtualTime } from '@ctx/testing';

/** Ms. More than any time limit of a test. */
const long = 3_600_000;

/** Time stands still until something hangs, so that on a slow machine no time limit ends what works. */
const time = new VirtualTime();
export const { wait } = time;

/** What never settles; while it is waited for, the time of every limit passes. */
export function hanging(): Promise<never> {
  setImmediate(() => time.pass(long));
  return new Promise(() => undefined);
}
