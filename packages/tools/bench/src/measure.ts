/** What measures a compression, without the exam, the loop and their dependencies: it loads fast and has nothing that could reach a host. */
export { atomsOf, occursIn } from './atoms.js';
export { grouped } from './averages.js';
export { type BenchSession, benchSession, repaired, sessionFiles } from './bench-session.js';
export type { RequestPrices } from './cached-cost.js';
export type { Candidate } from './candidates/candidate.js';
export { defaultLimit, replayedCandidates } from './candidates/candidates.js';
export { ctxCandidates } from './candidates/ctx.js';
export { type CountTokens, loadCounter, totalTokens } from './count-tokens.js';
export { type Cut, cutAt, cutsOf } from './cuts.js';
export { type Recall, recallOf } from './recall.js';
export type { ReplayResult } from './replay.js';
export { replayPage } from './replay-page.js';
export { replaySession } from './replay-session.js';
export { markdownTable } from './table.js';
