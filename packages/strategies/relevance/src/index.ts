export type { KeptLine } from '@ctx/excerpt';
export { register, relevance } from './relevance.js';
