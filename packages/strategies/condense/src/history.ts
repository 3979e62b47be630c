import type { Message } from '@ctx/core';
import { type ConversationFacts, gatherFacts } from './facts.js';
import type { Outcome } from './outcome.js';
import { Reading, readingOf } from './reading.js';

/** The messages that a summary covers, with everything that is read from them, so that it is gathered only once. */
export class History {
  readonly messages: readonly Message[];
  readonly readings: readonly Reading[];
  /** The outcome of every answered call, with the position of the answer. */
  readonly outcomes: readonly { readonly outcome: Outcome; readonly at: number }[];
  #facts: ConversationFacts | undefined;

  /** @param read reads a message; the default remembers each reading, so messages must not change afterwards */
  constructor(messages: readonly Message[], read: (message: Message) => Reading = readingOf) {
    this.messages = messages;
    this.readings = messages.map(read);
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

/** The facts of a conversation: its files, commands, errors and open points. */
export function factsOf(messages: readonly Message[]): ConversationFacts {
  return freshHistory(messages).facts;
}

/** A history of messages that their owner may change later. Each message is read again. */
function freshHistory(messages: readonly Message[]): History {
  return new History(messages, (message) => new Reading(message));
}
