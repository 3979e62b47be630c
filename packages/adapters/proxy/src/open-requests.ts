import type { OnWarning } from '@ctx/conversation';
import { slicer } from '@ctx/core';
import { ContextRequests } from '@ctx/fetch';
import type { ProxyOptions } from './proxy-options.js';
import { recalling } from './recalling.js';
import { openStates } from './states/open-states.js';
import { oneInTurn } from './turns.js';

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
  // A dry run has a view that nobody sends, so no other process may take it over.
  const states = store === undefined || dryRun ? undefined : await openStates(store);
  const { close: closeArchive, ...recalled } = await recalling(options);
  const turns = oneInTurn();
  const requests = new ContextRequests({
    ...rest,
    ...recalled,
    // All conversations together do as much in a turn of the event loop as one would alone.
    slices: { pause: turns.later, shared: slicer({ sliceMs, pause: turns.later, ...rest.slices }) },
    reading: { shared: slicer({ sliceMs, pause: turns.soon, ...rest.reading }) },
    states,
    dryRun,
    onWarning,
  });
  return {
    async send(input, init, sending) {
      const { length = 0 } = (init?.body ?? {}) as { readonly length?: number };
      // Several long bodies that have come at once are read one after another.
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
