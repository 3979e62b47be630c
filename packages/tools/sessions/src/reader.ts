import type { SessionRecord } from './files/records.js';
import type { ReadOptions, Session } from './session.js';
import type { Findings } from './telling/findings.js';
import type { Told } from './telling/told.js';

/** The inputs of a format's reader besides the records. */
export interface Reading {
  /** The file's name without folder and extension. It becomes the id of a session that has none. */
  readonly name: string;
  readonly findings: Findings;
  readonly from: NonNullable<ReadOptions['from']>;
}

/** Turns the records of a file into sessions. One per format. */
export type SessionReader = (
  records: AsyncIterable<SessionRecord>,
  reading: Reading,
) => AsyncIterable<Session>;

/** Takes the records of one session, and says at any time what they hold so far. */
export interface Recorder {
  add(record: SessionRecord): void;
  /** Changes nothing but the findings. */
  told(): Told;
}

/** Why a second record is refused where the file of an agent is one document. */
export const secondDocument = {
  problem: 'The file holds a second document',
  remedy: 'Give each session a file of its own.',
};
