/** The parts that a manager is made of, for tests, benchmarks and tools. They change more often than what the main door exports. */

export { errorCodes } from './base/errors.js';
export { packageMissing } from './base/package-missing.js';
export { type RunInSlices, slicer } from './base/slices.js';
export { waiting } from './base/wait.js';
export { type Budget, budgetOf } from './budget/budget.js';
export {
  type BudgetBand,
  type BudgetParts,
  type ContextBudget,
  contextBudget,
} from './budget/context-budget.js';
export { type LevelThresholds, levelOf } from './budget/level.js';
export { type ComparedRequests, type RequestMessage, requestCost } from './budget/request-cost.js';
export { type Decision, firedBy, type Measure, triggerTokens } from './budget/trigger.js';
export type {
  CompressionFigures,
  CompressionMetrics,
  InstructionFigures,
  StageFigures,
} from './compress/metrics.js';
export { matches } from './config/match.js';
export { Calibration, type CalibrationState, type Coefficients, type Counted } from './count/calibrate.js';
export type { Quality } from './count/count.js';
export type { BoundsOf, UsageBounds } from './count/usage-bounds.js';
export { Transcript } from './transcript/transcript.js';
export { isCrowded } from './view/crowded.js';
export type { Draft } from './view/draft.js';
export { isResolved } from './view/edits/index.js';
export { type Applied, applyEdits, type GateRules } from './view/gate.js';
export { type Protection, type ProtectionRules, protectionOf } from './view/protection.js';
export { type ViewRules, type Violation, validateView } from './view/validate.js';
export type { Dropped, Marker } from './view/view-entry.js';
