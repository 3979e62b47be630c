export type { RequestOf } from './asked-request.js';
export { Conversation, conversation } from './conversation.js';
export { Conversations } from './conversations.js';
export { type ConversationsOptions, refuseOptions } from './conversations-options.js';
export { windowOf } from './manager-options.js';
export {
  compactsWarning,
  ownCompaction,
  storedWarning,
  threadObstacle,
} from './providers-own.js';
export { RecentMap } from './recent-map.js';
export { type ReportedUsage, reportedUsage } from './reported-usage.js';
export { digest } from './seal.js';
export { SealedStates } from './sealed-states.js';
export { memoryStateStore, type StateStore } from './store.js';
export type { Turn } from './turn.js';
export { codeOf, type OnWarning, type Warning, Warnings } from './warnings.js';
