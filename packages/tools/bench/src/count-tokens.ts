import { bpeCounter, type Message, MessageCounter } from '@ctx/core';

/** Counts messages: content, tool names and decoded arguments, without overhead for a message. */
export interface CountTokens {
  (message: Message): number;
  readonly text: (text: string) => number;
}

/** The counter for all candidates: o200k. */
export async function loadCounter(): Promise<CountTokens> {
  const counter = new MessageCounter(bpeCounter('o200k_base'), noOverhead);
  await counter.load();
  return Object.assign((message: Message) => counter.message(message).tokens, {
    text: (text: string) => counter.text(text),
  });
}

/** Adds nothing for a message or a request, so that a manager counts as the benchmark does. */
export const noOverhead = { message: 0, conversation: 0 };

export function totalTokens(messages: readonly Message[], tokensOf: (message: Message) => number): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}
