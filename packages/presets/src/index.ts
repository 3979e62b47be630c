// Its types add the strategies to those that core knows.
import './strategies.js';

export { manageContext, truncateConversation, willManageContext } from './compat.js';
export {
  createContextManager,
  defaults,
  ladder,
  type PresetManagerOptions,
  registerDefaults,
  restore,
  restoreInSteps,
} from './defaults.js';
export { modelNames, providerNames } from './known-names.js';
export { profileNames } from './profiles.js';
export { explainChoice, presetFor } from './rules.js';
