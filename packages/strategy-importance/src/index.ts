export { bandOf, type ImportanceBand } from './bands.js';
export { type ImportanceStrategyOptions, importance, register } from './importance.js';
export { type SelectOptions, selectMessagesToKeep } from './select.js';
