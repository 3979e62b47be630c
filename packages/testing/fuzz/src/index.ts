export { loadCounters } from './counter.js';
export { type History, historyOf, shrunk } from './history.js';
export { type Failure, LawBook, type LawName, lawNames, requestLawNames } from './laws.js';
export { onceProblem } from './one-call.js';
export { requestFailure } from './request-run.js';
export { failureOf, type RunOptions } from './run-history.js';
export type { RequestPlant } from './senders.js';
export { taskIn } from './what-stays.js';
