import { CtxError } from '@ctx/core';
import { accept, type Said } from './accept.js';
import type { Findings } from './findings.js';
import type { SessionRecord } from './records.js';
import type { ReadOptions, Session } from './session.js';

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

/**
 * The session of a file that holds one.
 * @throws CtxError `session-empty` if no message is left
 */
export function onlySession(
  about: Pick<Session, 'id' | 'format' | 'model' | 'provider'>,
  said: readonly Said[],
  { findings }: Reading,
): Session {
  const accepted = accept(said, findings);
  if (accepted.messages.length > 0) return { ...about, ...accepted, ...findings.take() };
  throw new CtxError({
    code: 'session-empty',
    problem: 'The file holds no message',
    place: findings.file,
    remedy: 'Give a file with at least one message.',
  });
}
