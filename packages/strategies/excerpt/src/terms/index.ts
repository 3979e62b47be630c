export type { TermKind } from './term.js';
export { TermIndex, termsOf } from './term-index.js';
