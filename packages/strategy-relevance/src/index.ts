export type { KeptLine } from './explain.js';
export type { RelevanceOptions } from './options.js';
export { register, relevance } from './relevance.js';
