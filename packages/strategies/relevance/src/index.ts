export type { KeptLine } from '@ctx/excerpt';
/** @deprecated The name of a class before strategies were declared once; use `relevance`. */
export { register, relevance } from './relevance.js';
