// Its types add the strategies to those that core knows.
import './strategies.js';

export { willManageContext } from './compat/context-threshold.js';
export { manageContext } from './compat/manage-context.js';
export { truncateConversation } from './compat/truncate-conversation.js';
export {
  createContextManager,
  defaults,
  type PresetManagerOptions,
  registerDefaults,
  restore,
  restoreInSteps,
} from './defaults.js';
export { modelNames, providerNames } from './known-names.js';
export { ladder } from './ladder.js';
export { profileNames } from './profiles.js';
export { explainChoice, presetFor } from './rules.js';
