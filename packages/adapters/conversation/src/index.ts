export {
  Conversation,
  type ConversationOptions,
  conversation,
  type SendOptions,
} from './conversation.js';
export { Conversations } from './conversations.js';
export type { ConversationsOptions } from './conversations-options.js';
export { digest } from './digest.js';
export type { RequestOf } from './live-conversation.js';
export { RecentMap } from './recent-map.js';
export { refuseOptions } from './refuse-options.js';
export { reportedUsage } from './reported-usage.js';
export { seal, unseal } from './sealed.js';
export { memoryStateStore, type StateStore, type StoredState } from './state-store.js';
export { memoryStore, type Store, type UnstorageLike, unstorageStore } from './store.js';
export type { Turn } from './turn.js';
export { codeOf, type OnWarning, type Warning, Warnings } from './warnings.js';
