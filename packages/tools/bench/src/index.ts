export { type Atom, atomsOf, contextOf, isGeneral, occursIn, positionsOf } from './atoms.js';
export { type Average, averageOf, pairedDifference, type Sample } from './averages.js';
export { type BenchSession, loadSessions, sessionFiles } from './bench-session.js';
export { CachedCost } from './cached-cost.js';
export { baselines, noCompression } from './candidates/baselines.js';
export type { Candidate, Compressed, CompressTask, Replayed } from './candidates/candidate.js';
export { candidates } from './candidates/candidates.js';
export { strategyCandidate } from './candidates/ctx.js';
export { commonAtoms } from './common-atoms.js';
export { type CountTokens, loadCounter, noOverhead, totalTokens } from './count-tokens.js';
export { type Cut, type CutOptions, cutAt, cutsOf, type NeededAtom } from './cuts.js';
export { type CycleResult, cycleTables, measureCycles } from './cycles.js';
export { evidencePoints } from './exam/evidence.js';
export { type ExamView, examViews } from './exam/exam-candidates.js';
export { type ExamQuestion, type ExamSession, examSessions } from './exam/exam-session.js';
export { type ExamPoint, type ExamRow, examRows, examTable } from './exam/exam-table.js';
export { prepareExam } from './exam/prepare-exam.js';
export { gradedPoints, writeSheets, writeViews } from './exam/readers.js';
export type { AgentRun } from './loop/agent-run.js';
export { type LoopSummary, loopSummary, loopTables } from './loop/loop-table.js';
export { type LoopResult, measureLoop } from './loop/measure-loop.js';
export { type Scenario, scenarios } from './loop/scenario.js';
export { measurePlanted, type PlantedResult, plantedTables } from './planted/measure-planted.js';
export { type Recall, type RecallOptions, recallOf } from './recall.js';
export { type ReplayOptions, type ReplayResult, replay, replayLimits } from './replay.js';
export { type BenchRun, type Half, halfOf, runBench } from './run-bench.js';
export { budgetShares, type CutResult, measureCuts } from './static-cuts.js';
export {
  type BenchSummary,
  type Difference,
  type ReplaySummary,
  type StaticSummary,
  summarize,
} from './summary.js';
export { type Cell, markdownTable, type Table } from './table.js';
export { replayTablesOf, sessionTable, tablesOf } from './tables.js';
