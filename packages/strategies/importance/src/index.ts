export { bandOf } from './bands.js';
export { ImportanceStrategy, importance, register } from './importance.js';
export { messagesToKeep, selectMessagesToKeep } from './select.js';
