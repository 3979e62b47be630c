import { CtxError, type Message } from '@ctx/core';
import { Transcript } from '@ctx/core/kit';
import type { Session, UsageReport } from '../session.js';
import type { Findings, Place } from './findings.js';

/** A message, its place in the file, and the usage that the provider reported for it. */
export interface Said {
  readonly message: Message;
  readonly place: Place;
  readonly usage?: Omit<UsageReport, 'index'>;
}

export interface Accepted extends Pick<Session, 'messages' | 'usage'> {
  /** For each of the given ones the number of messages that were accepted before it. */
  readonly positions: readonly number[];
  readonly refused: ReadonlySet<Said>;
}

/**
 * Returns the messages that a transcript accepts one after the other, with their usage. Empty messages are skipped, other bad ones
 * refused.
 */
export function accept(said: readonly Said[], findings: Findings): Accepted {
  const transcript = new Transcript();
  const messages: Message[] = [];
  const usage: UsageReport[] = [];
  const positions: number[] = [];
  const refused = new Set<Said>();
  for (const one of said) {
    const { message, place, usage: reported } = one;
    positions.push(messages.length);
    try {
      transcript.append(message);
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      refused.add(one);
      if (error.code === 'message-empty') findings.skip(place, 'The message has no content');
      else findings.refuseFor(place, error);
      continue;
    }
    if (reported !== undefined) usage.push(usageOf(messages.length, reported));
    messages.push(message);
  }
  return { messages, positions, refused, ...(usage.length > 0 && { usage }) };
}

/** A damaged file may name fewer tokens of input than of its parts. */
function usageOf(index: number, reported: Omit<UsageReport, 'index'>): UsageReport {
  const { inputTokens, cacheReadTokens, cacheWriteTokens } = reported;
  return { index, ...reported, inputTokens: Math.max(inputTokens, cacheReadTokens + cacheWriteTokens) };
}
