import type { Message } from '@ctx/core';
import { type ConversationFacts, gatherFacts } from './facts.js';
import type { Outcome } from './outcome.js';
import { type Reading, readingOf } from './reading.js';

/** The messages that a summary covers, with everything that is read from them, so that it is gathered only once. */
export class History {
  readonly readings: readonly Reading[];
  /** The outcome of every answered call, with the position of the answer. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly at: number }[];
  #facts: ConversationFacts | undefined;

  /** @param messages must not change afterwards, as each reading is remembered */
  constructor(readonly messages: readonly Message[]) {
    this.readings = messages.map(readingOf);
    this.outcomes = outcomesOf(this.readings);
  }

  get facts(): ConversationFacts {
    this.#facts ??= gatherFacts(this.outcomes, this.readings);
    return this.#facts;
  }
}

function outcomesOf(readings: readonly Reading[]) {
  const found: { readonly outcome: Outcome; readonly at: number }[] = [];
  let caller: Reading | undefined;
  for (const [at, reading] of readings.entries()) {
    if (reading.calls.length > 0) caller = reading;
    if (caller === undefined) continue;
    for (const outcome of reading.outcomesFor(caller)) found.push({ outcome, at });
  }
  return found;
}
