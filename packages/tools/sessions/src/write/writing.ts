import { createHash } from 'node:crypto';
import type { Message } from '@ctx/core';
import { stringifyJson } from '@ctx/core/codec';
import type { Session } from '../session.js';

/** What of a session is written: what was said, and who said it. */
export type WritableSession = Pick<Session, 'id' | 'messages' | 'model' | 'provider'>;

/** Writes the messages of a session as an agent would have. */
export type SessionWriter = (session: WritableSession) => string;

/** One JSON object a line. */
export function asLines(records: readonly unknown[]): string {
  return records.map((record) => `${stringifyJson(record)}\n`).join('');
}

export function asDocument(document: unknown): string {
  return `${stringifyJson(document, 2)}\n`;
}

/** ISO 8601; undefined if the message has no time, so that none is written. */
export function timeOf({ createdAt }: Message): string | undefined {
  return createdAt === undefined ? undefined : new Date(createdAt).toISOString();
}

/** An id in the form of a UUID that is the same whenever the session is written. */
export function uuidOf(session: string, name: string | number): string {
  const hex = createHash('sha256').update(`${session} ${name}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
