export { placeholders } from './placeholders.js';
/** @deprecated The name of a class before strategies were declared once; use `toolResults`. */
export { register, toolResults } from './tool-results.js';
