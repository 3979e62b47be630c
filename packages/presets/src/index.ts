// Its types add the strategies to those that core knows.
import './strategies.js';

export { type ContextThreshold, willManageContext } from './compat/context-threshold.js';
export { type ManageContextOptions, type ManagedContext, manageContext } from './compat/manage-context.js';
export type { ModelUsage } from './compat/metered-model.js';
export type { ProjectFiles } from './compat/project-files.js';
export { truncateConversation } from './compat/truncate-conversation.js';
export {
  createContextManager,
  type DefaultsOptions,
  defaults,
  registerDefaults,
  restore,
  restoreInSteps,
} from './defaults.js';
export { type Family, families } from './families.js';
export { modelNames, providerNames } from './known-names.js';
export { ladder } from './ladder.js';
export { normalizeModel } from './model-name.js';
export { type ModelEntry, modelsCheckedOn, modelTable } from './model-table.js';
export { type ProfileName, profileNames } from './profiles.js';
export { explainChoice, type PresetOptions, presetFor } from './rules.js';
