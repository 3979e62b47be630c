export type { KeptLine } from '@ctx/excerpt';
export type { RelevanceOptions } from './options.js';
/** @deprecated The name of a class before strategies were declared once; use `relevance`. */
export { register, relevance, relevance as RelevanceStrategy } from './relevance.js';
