import { messageLabel } from '@ctx/bench/measure';
import { type Message, messageText } from '@ctx/core';

/** Characters; a table shortens a label to the terminal. */
const longest = 300;

/** A message in one line: who said it, and what it calls, answers or begins with. */
export function labelOf(message: Message, messages: readonly Message[]): string {
  if (message.summary === true) return 'summary by the agent';
  const label = messageLabel(message, messages, longest);
  if (label !== message.role) return label;
  const text = messageText(message).slice(0, longest).trim();
  return text === '' ? label : `${label}: ${text}`;
}
