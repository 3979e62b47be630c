export { anyChat } from './any-chat.js';
export { anyTurns } from './any-turns.js';
export { codecFailure } from './codec-fuzz.js';
export { loadCounters } from './counter.js';
export { type History, historyOf } from './history.js';
export { LawBook, LawBroken, type LawName, lawNames, lawsOf } from './laws.js';
export { onceProblem } from './one-call.js';
export { type Failure, failureOf, type RunOptions } from './run-history.js';
export { shrunk } from './shrink.js';
