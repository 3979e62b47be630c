export { bandOf } from './bands.js';
export { ImportanceStrategy, importance, register } from './importance.js';
export { selectMessagesToKeep } from './select.js';
