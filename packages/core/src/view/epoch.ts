import type { MessageId } from '../transcript/message.js';

/** Why a new epoch begins: something before the end of the view has changed. */
export type EpochReason = 'record' | 'undo' | 'rewind' | 'tools' | 'system' | 'summary';

/** The state of an epoch as plain JSON, for a snapshot. */
export interface EpochState {
  readonly number: number;
  /** The prefix of a request that has not been answered yet. */
  readonly asked?: number | undefined;
  /** For each message with reasoning, by id, the prefix it was said under. */
  readonly saidUnder: readonly (readonly [MessageId, number])[];
}
