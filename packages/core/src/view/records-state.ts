import type { ResolvedEdit } from './edit.js';
import type { ViewForm } from './view-form.js';

/** The part of a record that the view depends on. */
export interface AppliedRecord {
  readonly id: string;
  readonly edits: readonly ResolvedEdit[];
  /** Length of the transcript when the record was made. */
  readonly transcriptLength: number;
  /** True if it was made before a send, below the trigger. Such records do not push others out of the history. */
  readonly beforeSend?: true | undefined;
}

/** The records too old to be undone one by one: only the view after them is kept. */
export interface OldestRecords {
  /** Ids of the records, oldest first; consecutive numbers are written as `compression-3..9`. */
  readonly records: readonly string[];
  readonly transcriptLength: number;
  readonly view: ViewForm;
}

/** The records in force as plain JSON, for a snapshot; oldest first. */
export interface RecordsState<Record extends AppliedRecord> {
  readonly oldest?: OldestRecords | undefined;
  /** Records that left the history, with only what is needed to undo them. Some may be newer than one in `records` of the other kind. */
  readonly older: readonly AppliedRecord[];
  /** The records in the history, and those made before a send. */
  readonly records: readonly Record[];
}
