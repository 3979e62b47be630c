export { bpeCounter, type Encoding } from './bpe.js';
export { type Budget, budgetOf } from './budget.js';
export { Calibration, type CalibrationState, type Coefficients, type Counted } from './calibrate.js';
export type { Codec, NativeHistory, NativeLoss, NativeViolation } from './codec.js';
export { type CompressMessagesOptions, compressMessages } from './compress-messages.js';
export {
  type Config,
  defineConfig,
  parseConfig,
  type Rule,
  type Settings,
  settingsFor,
} from './config.js';
export { configJsonSchema } from './config-schema.js';
export { type BudgetBand, type BudgetParts, type ContextBudget, contextBudget } from './context-budget.js';
export { ContextManager, createContextManager } from './context-manager.js';
export {
  MessageCounter,
  type MessageTokens,
  type TokenCounter,
  type TokenOverhead,
} from './count.js';
export { isCrowded } from './crowded.js';
export { type CutJsonOptions, cutJson } from './cut-json.js';
export { amount, type CutOptions, cutText, type Gone } from './cut-text.js';
export { isTooDeep, jsonOf, tooDeep } from './depth.js';
export { type DependencyContainer, inject, injectable } from './di.js';
export {
  type CustomEdit,
  type DropCallsEdit,
  type DropEdit,
  type Edit,
  type FoldEdit,
  isResolved,
  type MergeEdit,
  type MessageId,
  type ReplaceEdit,
  type ResolvedEdit,
  type SummarizeEdit,
} from './edit.js';
export { equal } from './equal.js';
export {
  ConfigError,
  ContextOverflowError,
  CtxError,
  type ErrorCode,
  type ErrorFields,
  errorCodes,
  type OverflowBreakdown,
  ValidationError,
} from './errors.js';
export { estimateTokens } from './estimate.js';
export type { ContextEvents, EventName, Listener } from './events.js';
export { compareByPriority, dropsInOrder, type Exchange, exchangesOf } from './exchange.js';
export { pathNormalizer } from './file-path.js';
export { type FileSection, fileSections } from './file-sections.js';
export {
  type FileTool,
  fileReadTools,
  filesOf,
  fileToolOf,
  fileToolSchema,
  fileWriteTools,
  pathArguments,
  pathsOf,
  terminalTools,
} from './file-tools.js';
export { type Applied, applyEdits, type GateRules, type RejectedEdit } from './gate.js';
export {
  type ImportanceKeywords,
  type ImportanceOptions,
  type ImportanceScore,
  importanceKeywords,
  type KeywordList,
  messagesToKeep,
  scoreMessage,
  scoreMessages,
} from './importance.js';
export { jsonText } from './json.js';
export { CompressionLevel, type LevelThresholds, levelOf } from './level.js';
export type { CheckOptions, CompressOptions, ManagerOptions } from './manager-options.js';
export { type ModelId, matches } from './match.js';
export {
  type FilePart,
  type ImagePart,
  isErrorResult,
  isTextOutput,
  type Message,
  messageSchema,
  messageText,
  type OpaquePart,
  outputText,
  type Part,
  type Priority,
  parseMessage,
  partsOf,
  partText,
  priorities,
  type ReasoningPart,
  type Role,
  type TextPart,
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  toolCallsOf,
} from './message.js';
export type { Usage, UsageOutcome } from './meter.js';
export type {
  CompressionFigures,
  CompressionMetrics,
  InstructionFigures,
  Metrics,
  StageFigures,
} from './metrics.js';
export {
  carriedLosses,
  createdAt,
  type Fields,
  fieldsOf,
  isFields,
  nameAt,
  nativeInvalid,
  otherFields,
  stringAt,
} from './native.js';
export { nearest } from './nearest.js';
export type { CompressionOutcome, ContextStats, Quality, Simulation } from './outcome.js';
export { isOverflowError } from './overflow.js';
export { assignPriorities, assignPriority, type PriorityInput, type PriorityPreset } from './priority.js';
export { type Protection, type ProtectionRules, protectionOf } from './protection.js';
export { seededRandom } from './random.js';
export type { CompressionRecord, CompressionTotals, StageReport } from './record.js';
export {
  createContainer,
  optionsToken,
  type Preset,
  type PresetRule,
  parseOptions,
  portToken,
  registerPreset,
  registerResolver,
  registerStrategy,
  resolveStrategy,
  type StrategyClass,
  strategyNames,
  strategyToken,
} from './registry.js';
export {
  type CachePrices,
  type ComparedRequests,
  type RequestCost,
  type RequestMessage,
  requestCost,
} from './request-cost.js';
export {
  type EditResolver,
  type Folder,
  folderToken,
  type NumberedMessage,
  type ResolveContext,
  type SummarizeRequest,
  type Summarizer,
  summarizerToken,
} from './resolve.js';
export type { Snapshot } from './snapshot.js';
export { sourcesOf } from './source-parts.js';
export type { ManagerStatus } from './status.js';
export {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  type ViewMessage,
} from './strategy.js';
export { type ToolUse, toolUsesOf } from './tool-use.js';
export { Transcript, type TranscriptMessage, unansweredOutput } from './transcript.js';
export {
  allowedTokens,
  type Decision,
  effectiveThreshold,
  firedBy,
  isThrottled,
  type Measure,
  type Trigger,
  triggerTokens,
} from './trigger.js';
export type { BoundsOf, UsageBounds } from './usage-bounds.js';
export {
  type InvariantName,
  invariantNames,
  type ViewRules,
  type Violation,
  validateView,
} from './validate.js';
export { View } from './view.js';
export type { Marker, Removal, ViewEntry } from './view-entry.js';
