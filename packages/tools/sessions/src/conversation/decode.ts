import { CtxError, type Message } from '@ctx/core';
import { isFields } from '../fields.js';
import type { Findings, Place } from './findings.js';
import type { Placed } from './session-of.js';

/** A message of a provider's API, or an item of one, with its place in the file. */
export interface Native {
  readonly native: unknown;
  readonly place: Place;
}

interface Decoded<N extends Native> {
  readonly message: Message;
  /** The native message, or the first of its items. */
  readonly from: N;
}

type ToMessages = (natives: unknown[]) => Message[];

/**
 * Decodes native messages, and returns each result with where it is from. If there is one that the codec does not understand, each is
 * first decoded alone, and those that fail are refused.
 */
export function decode<N extends Native>(
  natives: readonly N[],
  toMessages: ToMessages,
  findings: Findings,
): Decoded<N>[] {
  const all = tried(() => withOrigins(natives, toMessages));
  if (!CtxError.isInstance(all)) return all;
  const understood = natives.filter((one) => {
    const alone = tried(() => toMessages([one.native]));
    if (CtxError.isInstance(alone)) findings.refuseFor(one.place, alone);
    return !CtxError.isInstance(alone);
  });
  return withOrigins(understood, toMessages);
}

function tried<T>(work: () => T): T | CtxError {
  try {
    return work();
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return error;
  }
}

function withOrigins<N extends Native>(natives: readonly N[], toMessages: ToMessages): Decoded<N>[] {
  const originOf = new Map(natives.map((one) => [one.native, one]));
  return toMessages(natives.map(({ native }) => native)).map((message) => {
    const native = isFields(message.native) ? message.native.message : undefined;
    // Every codec keeps what a message was made of.
    const from = originOf.get(native) ?? originOf.get(Array.isArray(native) ? native[0] : undefined);
    return { message, from: from as N };
  });
}

/** The messages of turns, in order. */
export function placedOfAll<Turn>(
  turns: readonly Turn[],
  placedBy: ReadonlyMap<Turn, readonly Placed[]>,
): Placed[] {
  return turns.flatMap((turn) => placedBy.get(turn) ?? []);
}
