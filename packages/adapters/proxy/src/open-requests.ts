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
  const requests = new ContextRequests({
    ...rest,
    ...recalled,
    // All conversations share one slice of each turn of the event loop.
    slices: { shared: slicer({ sliceMs, ...rest.slices }) },
    reading: { shared: slicer({ sliceMs, ...rest.reading }) },
    states,
    dryRun,
    onWarning,
  });
  return {
    send: (...request) => requests.send(...request),
    async close() {
      await requests.archived();
      await closeArchive();
      await states?.close();
    },
  };
}
