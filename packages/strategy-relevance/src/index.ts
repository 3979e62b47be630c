export type { KeptLine } from './explain.js';
export type { RelevanceOptions } from './options.js';
export { RelevanceStrategy, register, relevance } from './relevance.js';
