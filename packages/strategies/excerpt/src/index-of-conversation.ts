import type { Message } from '@ctx/core';
import { ConversationIndex } from './conversation-index.js';

/** What has been read of each conversation, by its first message. */
const indexes = new WeakMap<Message, ConversationIndex>();

/**
 * The index of the conversation that begins with these messages. All that ask for it share it, and read only what is new. Messages must
 * not change after they were read.
 */
export function indexOfConversation(messages: readonly Message[]): ConversationIndex {
  const [first] = messages;
  const known = first && indexes.get(first);
  if (known?.isBeginningOf(messages)) return known;
  const index = new ConversationIndex();
  if (first !== undefined) indexes.set(first, index);
  return index;
}
