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
  if (Array.isArray(all)) return all;
  const origins: N[] = [];
  const understood = natives.filter((one) => {
    const alone = tried(() => toMessages([one.native]));
    if (CtxError.isInstance(alone)) findings.refuseFor(one.place, alone);
    else origins.push(...alone.map(() => one));
    return !CtxError.isInstance(alone);
  });
  return (
    withOrigins(understood, toMessages) ??
    toMessages(understood.map(({ native }) => native)).flatMap((message, index) => {
      const from = origins[index];
      return from === undefined ? [] : [{ message, from }];
    })
  );
}

function tried<T>(work: () => T): T | CtxError {
  try {
    return work();
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return error;
  }
}

/** Undefined if a codec does not say which message comes from which. */
function withOrigins<N extends Native>(
  natives: readonly N[],
  toMessages: ToMessages,
): Decoded<N>[] | undefined {
  const originOf = new Map(natives.map((one) => [one.native, one]));
  if (originOf.size < natives.length) return undefined;
  const decoded = toMessages(natives.map(({ native }) => native)).map((message) => {
    const native = isFields(message.native) ? message.native.message : undefined;
    const from = originOf.get(native) ?? originOf.get(Array.isArray(native) ? native[0] : undefined);
    return { message, from: from as N };
  });
  return decoded.every(({ from }) => from !== undefined) ? decoded : undefined;
}

/** For each position in a list of turns the number of messages before it; one more than there are turns. */
export function startsOf<Turn>(
  turns: readonly Turn[],
  placedBy: ReadonlyMap<Turn, readonly Placed[]>,
): number[] {
  const starts = [0];
  for (const turn of turns) starts.push((starts.at(-1) as number) + (placedBy.get(turn)?.length ?? 0));
  return starts;
}
