export {
  Conversation,
  type ConversationOptions,
  conversation,
  type SendOptions,
} from './conversation.js';
export { Conversations, type ConversationsOptions, type RequestOf, type Turn } from './conversations.js';
export { reportedUsage } from './reported-usage.js';
export { memoryStore, type Store, type UnstorageLike, unstorageStore } from './store.js';
export { type OnWarning, type Warning, Warnings } from './warnings.js';
