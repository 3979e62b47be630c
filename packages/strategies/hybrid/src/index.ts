export { efficiency } from './characteristics.js';
export { HybridStrategy, hybrid, register } from './hybrid.js';
