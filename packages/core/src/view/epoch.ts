import type { MessageId } from '../transcript/message.js';

/** Why a new epoch begins: something before the end of the view has changed. */
export type EpochReason = 'record' | 'undo' | 'rewind' | 'tools' | 'system' | 'summary';

/** The state of an epoch as plain JSON, for a snapshot. */
export interface EpochState {
  readonly number: number;
  /** The prefix of a request that has not been answered yet. */
  readonly asked?: number | undefined;
  /** The prefix under which each message with reasoning was written, by its id. */
  readonly prefixes: readonly (readonly [MessageId, number])[];
}
