import { CtxError, type Message } from '@ctx/core';
import type { Findings, Place } from './findings.js';

/** A message of a provider's API with its place in the file. */
export interface Native {
  readonly native: unknown;
  readonly place: Place;
}

export interface Decoded<N extends Native> {
  readonly message: Message;
  readonly from: N;
}

/**
 * Decodes native messages, and returns each result with its native message. A message that the codec does not understand is refused, so
 * each is first decoded alone.
 */
export function decode<N extends Native>(
  natives: readonly N[],
  toMessages: (natives: unknown[]) => Message[],
  findings: Findings,
): Decoded<N>[] {
  const origins: N[] = [];
  const understood: unknown[] = [];
  for (const one of natives) {
    try {
      for (const _ of toMessages([one.native])) origins.push(one);
      understood.push(one.native);
    } catch (error) {
      if (!CtxError.isInstance(error)) throw error;
      findings.refuseFor(one.place, error);
    }
  }
  return toMessages(understood).flatMap((message, index) => {
    const from = origins[index];
    return from === undefined ? [] : [{ message, from }];
  });
}
