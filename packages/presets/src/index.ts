export { type AdaptableSettings, adaptSettings, type ConversationHabits } from './adapt-settings.js';
export { approximateCounter } from './approximate-counter.js';
export { createContextManager, registerDefaults } from './defaults.js';
export { type Family, families } from './families.js';
export { ladder } from './ladder.js';
export {
  type ContextThreshold,
  type ManageContextOptions,
  type ManagedContext,
  manageContext,
  truncateConversation,
  willManageContext,
} from './manage-context.js';
export { explainChoice, presetFor } from './rules.js';
