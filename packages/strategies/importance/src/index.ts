export { bandOf, type ImportanceBand } from './bands.js';
/** @deprecated The name of a class before strategies were declared once; use `importance`. */
export {
  type ImportanceStrategyOptions,
  importance,
  importance as ImportanceStrategy,
  register,
} from './importance.js';
export { type SelectOptions, selectMessagesToKeep } from './select.js';
