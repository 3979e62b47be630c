import { CtxError, type Message } from '@ctx/core';
import { isFields } from '../fields.js';
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
 * Decodes native messages, and returns each result with its native message. If there is one that the codec does not understand, each is
 * first decoded alone, and those that fail are refused.
 */
export function decode<N extends Native>(
  natives: readonly N[],
  toMessages: (natives: unknown[]) => Message[],
  findings: Findings,
): Decoded<N>[] {
  return decodedAtOnce(natives, toMessages) ?? decodedOneByOne(natives, toMessages, findings);
}

/** Undefined if one fails, or if a codec does not say which message comes from which. */
function decodedAtOnce<N extends Native>(
  natives: readonly N[],
  toMessages: (natives: unknown[]) => Message[],
): Decoded<N>[] | undefined {
  const originOf = new Map(natives.map((one) => [one.native, one]));
  if (originOf.size < natives.length) return undefined;
  try {
    const decoded = toMessages(natives.map(({ native }) => native)).map((message) => {
      const from = isFields(message.native) ? originOf.get(message.native.message) : undefined;
      return { message, from: from as N };
    });
    return decoded.every(({ from }) => from !== undefined) ? decoded : undefined;
  } catch (error) {
    if (!CtxError.isInstance(error)) throw error;
    return undefined;
  }
}

function decodedOneByOne<N extends Native>(
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
