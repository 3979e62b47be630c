export { type History, historyOf } from './history.js';
export { LawBook, type LawName, lawNames } from './laws.js';
export { type Failure, failureOf, type RunOptions } from './run-history.js';
