export { type Atom, atomsOf, contextOf, isGeneral, occursIn, positionsOf } from './atoms.js';
export { type Average, averageOf, pairedDifference, type Sample } from './averages.js';
export { type BenchSession, loadSessions } from './bench-session.js';
export { CachedCost } from './cached-cost.js';
export { baselines, noCompression, randomMessages } from './candidates/baselines.js';
export type { Candidate, Compressed, CompressTask, Replayed } from './candidates/candidate.js';
export { strategyCandidate } from './candidates/ctx.js';
export { candidates } from './candidates/index.js';
export {
  type Chat,
  type ChatForm,
  type ChatQuestion,
  chatMessages,
  formsOf,
  type Turn,
} from './chats/chat.js';
export { chatTables } from './chats/chat-table.js';
export { loadChats } from './chats/load-chats.js';
export { madeChats } from './chats/made-chats.js';
export { type ChatResult, measureChats } from './chats/measure-chats.js';
export { commonAtoms } from './common-atoms.js';
export { compactionTables } from './compactions/compaction-table.js';
export {
  type CompactionResult,
  compactionHolders,
  compareCompactions,
} from './compactions/compare-compactions.js';
export { type CountTokens, loadCounter, noOverhead, totalTokens } from './count-tokens.js';
export { type Cut, type CutOptions, cutAt, cutsOf, type NeededAtom } from './cuts.js';
export { cycleTables } from './cycles/cycle-table.js';
export { type CycleResult, measureCycles } from './cycles/measure-cycles.js';
export { evidencePoints } from './exam/evidence.js';
export { type ExamView, examViews } from './exam/exam-candidates.js';
export { type ExamQuestion, type ExamSession, examSessions } from './exam/exam-session.js';
export { type ExamPoint, type ExamRow, examRows, examTable } from './exam/exam-table.js';
export { type Prepared, prepareExam } from './exam/prepare-exam.js';
export { gradedPoints, writeSheets, writeViews } from './exam/readers.js';
export { type Half, halfOf } from './halves.js';
export { type Work, workOf } from './kind-of-work.js';
export type { AgentRun } from './loop/agent-run.js';
export { type LoopSummary, loopSummary, loopTables } from './loop/loop-table.js';
export { type LoopResult, measureLoop } from './loop/measure-loop.js';
export { type Scenario, scenarios } from './loop/scenario.js';
export { type Cell, markdownTable } from './markdown-table.js';
export { oracle } from './oracle.js';
export {
  measurePlanted,
  type PlantedResult,
} from './planted/measure-planted.js';
export { plantedTables } from './planted/planted-table.js';
export { type Recall, type RecallOptions, recallOf } from './recall.js';
export { type ChatRecall, measureChatRecalls } from './recalls/chat-recalls.js';
export {
  type CutRecall,
  measureCutRecalls,
} from './recalls/cut-recalls.js';
export { measureRecalls } from './recalls/measure-recalls.js';
export { recallTables } from './recalls/recall-tables.js';
export { type ReplayRecall, replayWithRecall } from './recalls/replay-recalls.js';
export { type ReplayOptions, type ReplayResult, replay, replayLimits } from './replay.js';
export { renderReport } from './report/render-report.js';
export { renderSession } from './report/render-session.js';
export { type BenchRun, runBench } from './run-bench.js';
export { sessionFiles } from './session-files.js';
export { budgetShares, type CutResult, measureCuts } from './static-cuts.js';
export {
  type BenchSummary,
  type Difference,
  type ReplaySummary,
  type StaticSummary,
  summarize,
} from './summary.js';
export type { Table } from './table-cells.js';
export { replayTablesOf, sessionTable, tablesOf } from './tables.js';
