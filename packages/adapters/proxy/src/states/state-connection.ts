import type { StateStore } from '@ctx/conversation';

/** A store that the proxy opened and closes. */
export interface StateConnection extends StateStore {
  close(): Promise<void>;
}

/** Ms. A conversation that nobody went on with for so long is compressed again if somebody does. */
export const keptFor = 30 * 24 * 3_600_000;
