import type { Message } from '@ctx/core';

/** A message with its results, or a message alone. */
export function exchangesOf(messages: readonly Message[]): Message[][] {
  const exchanges: Message[][] = [];
  for (const message of messages) {
    if (message.role === 'tool' && exchanges.length > 0) exchanges.at(-1)?.push(message);
    else exchanges.push([message]);
  }
  return exchanges;
}

/** The messages without one exchange, for each of them. */
export function drops(messages: readonly Message[]): [Message[], Message[]][] {
  return exchangesOf(messages).map((dropped) => [
    dropped,
    messages.filter((message) => !dropped.includes(message)),
  ]);
}
