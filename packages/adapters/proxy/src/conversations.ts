import type { OnWarning } from '@ctx/conversation';
import { slicer } from '@ctx/core';
import { preparerOf, type RequestPreparer } from '@ctx/fetch';
import type { ProxyOptions } from './proxy-options.js';
import { recalling } from './recalling.js';
import { openStates } from './states/open-states.js';
import { oneInTurn } from './turns.js';
import { warmUp } from './warm-up.js';

/** The conversations that pass, in this thread or in another one. */
export interface OpenConversations {
  readonly preparer: RequestPreparer;
  /** Has ready what the first request would wait for. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

/** What is said of conversations in the options of a proxy. */
export type ConversationsPart = Omit<
  ProxyOptions,
  'upstream' | 'environment' | 'port' | 'host' | 'token' | 'onWarning' | 'thread'
>;

/** Bytes of a body that is read in less than a millisecond. */
const shortBody = 64 * 1024;
/** Ms. With what one request takes in a piece, and a collection of garbage, other requests wait less than 20 ms. */
const sliceMs = 4;

/**
 * Opens in this thread what keeps conversations.
 * @throws ConfigError `config-invalid` for options that cannot work; `package-missing`
 */
export async function openConversations(
  options: ConversationsPart,
  onWarning: OnWarning,
): Promise<OpenConversations> {
  const { recall: _, dryRun = false, store, ...rest } = options;
  // A dry run has a view that nobody sends, so no other process may take it over.
  const states = store === undefined || dryRun ? undefined : await openStates(store);
  const { close: closeArchive, ...recalled } = await recalling(options);
  const turns = oneInTurn();
  const preparer = preparerOf({
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
    preparer: {
      async prepare(call, send) {
        const { length = 0 } = (call.init?.body ?? {}) as { readonly length?: number };
        // Several long bodies that have come at once are read one after another.
        if (length > shortBody) await turns.soon();
        return preparer.prepare(call, send);
      },
      archived: () => preparer.archived(),
    },
    begin: warmUp,
    async close() {
      await preparer.archived();
      await closeArchive();
      await states?.close();
    },
  };
}

/** Leaves out what concerns the server alone. */
export function conversationsPart(options: ProxyOptions): ConversationsPart {
  const {
    upstream: _u,
    environment: _e,
    port: _p,
    host: _h,
    token: _t,
    onWarning: _w,
    thread: _,
    ...part
  } = options;
  return part;
}
