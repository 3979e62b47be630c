import type { Message } from '@ctx/core';
import { ConversationIndex } from './conversation-index.js';

/** What has been read of each conversation, by its first message. */
const indexes = new WeakMap<Message, ConversationIndex>();

/**
 * The index of the conversation that begins with these messages. All that ask for it share it, and read only what is new. Messages must
 * not change after they were read.
 * @param next where the messages may begin that are asked for next; the index that began before them is forgotten then
 */
export function indexOfConversation(messages: readonly Message[], next = 0): ConversationIndex {
  const [first] = messages;
  if (first === undefined) return new ConversationIndex();
  const known = indexes.get(first);
  const isKnown = known?.isBeginningOf(messages) === true;
  const index = isKnown ? known : new ConversationIndex();
  if (!isKnown && known?.first !== undefined) indexes.delete(known.first);
  indexes.set(first, index);
  const later = messages[next];
  if (later !== undefined) indexes.set(later, index);
  return index;
}
