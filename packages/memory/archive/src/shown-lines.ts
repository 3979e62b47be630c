import { type Message, messageText } from '@ctx/core';

/** Returns a test of whether every line of a text stands in one of the messages. The space around a line does not count. */
export function linesShownIn(messages: readonly Message[]): (text: string) => boolean {
  const lines = new Set(['', ...messages.flatMap((message) => linesOf(messageText(message)))]);
  return (text) => linesOf(text).every((line) => lines.has(line));
}

const linesOf = (text: string) => text.split('\n').map((line) => line.trim());
