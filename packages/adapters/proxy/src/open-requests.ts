import { setImmediate } from 'node:timers/promises';
import type { OnWarning } from '@ctx/conversation';
import { slicer } from '@ctx/core';
import { ContextRequests } from '@ctx/fetch';
import type { ProxyOptions } from './proxy-options.js';
import { recalling } from './recalling.js';
import { openStates } from './states/open-states.js';

/** Sends requests, and closes its store and archive at the end. */
export interface OpenRequests {
  readonly send: ContextRequests['send'];
  close(): Promise<void>;
}

/** Bytes of a body that is read in less than a millisecond. */
const shortBody = 64 * 1024;
/** Ms. With what one request takes in a piece, and a collection of garbage, other requests wait less than 20 ms. */
const sliceMs = 4;

/** @throws ConfigError `config-invalid` for options that cannot work; `package-missing` */
export async function openRequests(options: ProxyOptions, onWarning: OnWarning): Promise<OpenRequests> {
  const {
    upstream: _u,
    environment: _e,
    port: _p,
    host: _h,
    token: _t,
    recall: _r,
    dryRun = false,
    store,
    ...rest
  } = options;
  // Nobody sends the view of a dry run, so no other process may go on with it.
  const states = store === undefined || dryRun ? undefined : await openStates(store);
  const { close: closeArchive, ...recalled } = await recalling(options);
  const turns = oneInTurn();
  const requests = new ContextRequests({
    ...rest,
    ...recalled,
    // All conversations share one slice of each turn of the event loop.
    slices: { pause: turns.later, shared: slicer({ sliceMs, pause: turns.later, ...rest.slices }) },
    reading: { shared: slicer({ sliceMs, pause: turns.soon, ...rest.reading }) },
    states,
    dryRun,
    onWarning,
  });
  return {
    async send(input, init, sending) {
      const { length = 0 } = (init?.body ?? {}) as { readonly length?: number };
      // Long bodies that arrive at once are read one after another.
      if (length > shortBody) await turns.soon();
      return requests.send(input, init, sending);
    },
    async close() {
      await requests.archived();
      await closeArchive();
      await states?.close();
    },
  };
}

/** Functions that resolve after the event loop has turned. */
export interface Turns {
  /** For work that a request waits for: reading it. */
  readonly soon: () => Promise<void>;
  /** For long work: compressing. It resumes when no reading waits. */
  readonly later: () => Promise<void>;
}

/**
 * Resumes one waiting task in each turn of the event loop, first come, first served. If every busy conversation ran a slice in each turn, a
 * turn would last as long as all of them together.
 */
export function oneInTurn(): Turns {
  const [soon, later]: [(() => void)[], (() => void)[]] = [[], []];
  let isTurning = false;
  const turn = async () => {
    isTurning = true;
    while (soon.length + later.length > 0) {
      await setImmediate();
      (soon.shift() ?? later.shift())?.();
    }
    isTurning = false;
  };
  const waitIn = (queue: (() => void)[]) => () =>
    new Promise<void>((resolve) => {
      queue.push(resolve);
      if (!isTurning) void turn();
    });
  return { soon: waitIn(soon), later: waitIn(later) };
}
