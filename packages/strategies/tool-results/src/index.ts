export { placeholders } from './placeholders.js';
export { register, toolResults } from './tool-results.js';
