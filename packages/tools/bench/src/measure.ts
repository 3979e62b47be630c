/** What measures a compression, without the peers, the report and their dependencies: it loads fast and has nothing that could reach a host. */
export { atomsOf, occursIn } from './atoms.js';
export { grouped } from './averages.js';
export { type BenchSession, benchSession, repaired } from './bench-session.js';
export { baselines } from './candidates/baselines.js';
export type { Candidate, Compressed, CompressTask, Replayed, ReplayTask } from './candidates/candidate.js';
export { ctxCandidates } from './candidates/ctx.js';
export { type CountTokens, loadCounter, noOverhead, totalTokens } from './count-tokens.js';
export { type Cut, cutAt, cutsOf } from './cuts.js';
export { type FateOptions, fatesOf, type Outcome, type ReportFate } from './fates.js';
export { messageLabel } from './message-label.js';
export { type Recall, recallOf } from './recall.js';
export { type ReplayResult, replay } from './replay.js';
export { defaultLimit, replayedCandidates } from './replay-candidates.js';
export type * from './report/session-data.js';
export { type SessionReportOptions, sessionReport } from './session-report.js';
export { textOf } from './spoken.js';
