export { type ContextThreshold, willManageContext } from './context-threshold.js';
export {
  createContextManager,
  type DefaultsOptions,
  defaults,
  registerDefaults,
  restore,
} from './defaults.js';
export { type Family, families } from './families.js';
export { ladder } from './ladder.js';
export { type ManageContextOptions, type ManagedContext, manageContext } from './manage-context.js';
export type { ModelUsage } from './metered-model.js';
export { normalizeModel } from './model-name.js';
export { type ModelEntry, modelsCheckedOn, modelTable } from './model-table.js';
export { type ProfileName, profileNames } from './profiles.js';
export type { ProjectFiles } from './project-files.js';
export { explainChoice, type PresetOptions, presetFor } from './rules.js';
export { truncateConversation } from './truncate-conversation.js';
