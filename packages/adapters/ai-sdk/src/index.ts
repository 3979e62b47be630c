export type { CallModel, CallParams, ContextCall, StreamPart } from './call.js';
export {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
} from './context-middleware.js';
export {
  type ContextPrepareStep,
  type ContextPrepareStepOptions,
  contextPrepareStep,
  type PreparedStep,
} from './context-prepare-step.js';
export type { StepOptions, StepResult } from './whole-history.js';
