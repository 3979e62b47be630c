import type { Message } from '@ctx/core';
import { readSession } from '@ctx/sessions';
import { conversation } from './conversation.js';

/** Names with a capital inside, ids and numbers, which are others in each copy. */
const names = /\b(?:[a-z]+[A-Z]|call_|toolu_|\d{3,})/g;
/** Fields that are not text of the conversation. */
const fixed = new Set(['role', 'type', 'toolName']);

/** Messages of the conversation that stands in for sessions: enough for a round of everything. */
const invented = 500;

/** The sessions, or an invented conversation if there are none, without their system prompts, again and again, with other names each time, until they have this number of tokens. */
export async function longSession(
  tokens: number,
  {
    tokensOf,
    sessions,
  }: { readonly tokensOf: (message: Message) => number; readonly sessions: readonly string[] },
): Promise<Message[]> {
  const recorded: Message[] = [];
  if (sessions.length === 0) recorded.push(...conversation(invented));
  for (const file of sessions) recorded.push(...(await readSession(file)).messages);
  const text = JSON.stringify(recorded.filter(({ role }) => role !== 'system'));
  const messages: Message[] = [];
  for (let [copy, size] = [0, 0]; size < tokens; copy += 1) {
    const renamed = JSON.parse(text, (key, value: unknown) =>
      typeof value === 'string' && !fixed.has(key) ? value.replace(names, (name) => `${name}${copy}`) : value,
    ) as Message[];
    for (const message of renamed) {
      if (size >= tokens && message.role !== 'tool') break;
      messages.push(message);
      size += tokensOf(message);
    }
  }
  return messages;
}

/** Characters of what the messages say, without the fields around it. */
export function lengthOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + JSON.stringify(message.content).length, 0);
}
