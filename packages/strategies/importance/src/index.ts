export { bandOf } from './bands.js';
/** @deprecated The name of a class before strategies were declared once; use `importance`. */
export { importance, register } from './importance.js';
export { selectMessagesToKeep } from './select.js';
