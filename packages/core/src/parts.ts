/** The parts that a manager is made of, for tests, benchmarks and tools. They change more often than what the main door exports. */

export { errorCodes } from './base/errors.js';
export { packageMissing } from './base/package-missing.js';
export { type RunInSlices, slicer } from './base/slices.js';
export { waiting } from './base/wait.js';
export type { Budget } from './budget/budget.js';
export {
  type BudgetBand,
  type BudgetParts,
  type ContextBudget,
  contextBudget,
} from './budget/context-budget.js';
export { firedBy, type Measure } from './budget/trigger.js';
export { matches } from './config/match.js';
export { Calibration } from './count/calibrate.js';
export { Transcript } from './transcript/transcript.js';
export { isResolved } from './view/edits/index.js';
export { applyEdits } from './view/gate.js';
export { validateView } from './view/validate.js';
