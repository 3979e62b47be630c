export { CompressionLevel } from './base/compression-level.js';
export { isTooDeep, jsonOf, tooDeep } from './base/depth.js';
export { type DependencyContainer, inject, injectable, portToken } from './base/di.js';
export { equal } from './base/equal.js';
export {
  ConfigError,
  ContextOverflowError,
  CtxError,
  type ErrorCode,
  type ErrorFields,
  errorCodes,
  type OverflowBreakdown,
  ValidationError,
} from './base/errors.js';
export { jsonText } from './base/json.js';
export {
  createdAt,
  type Fields,
  fieldsOf,
  isFields,
  nameAt,
  nativeInvalid,
  otherFields,
  stringAt,
} from './base/native.js';
export { nearest } from './base/nearest.js';
export { seededRandom } from './base/random.js';
export { type Budget, budgetOf } from './budget/budget.js';
export {
  type BudgetBand,
  type BudgetParts,
  type ContextBudget,
  contextBudget,
} from './budget/context-budget.js';
export { type LevelThresholds, levelOf } from './budget/level.js';
export type { Usage, UsageOutcome } from './budget/meter.js';
export { isOverflowError } from './budget/overflow.js';
export {
  type CachePrices,
  type ComparedRequests,
  type RequestCost,
  type RequestMessage,
  requestCost,
} from './budget/request-cost.js';
export {
  allowedTokens,
  type Decision,
  effectiveThreshold,
  firedBy,
  isThrottled,
  type Measure,
  type Trigger,
  triggerTokens,
} from './budget/trigger.js';
export type { ContextEvents, EventName, Listener } from './compress/events.js';
export type {
  CompressionFigures,
  CompressionMetrics,
  InstructionFigures,
  Metrics,
  StageFigures,
} from './compress/metrics.js';
export type { CompressionOutcome, ContextStats, Simulation } from './compress/outcome.js';
export type { CompressionRecord, CompressionTotals, StageReport } from './compress/record.js';
export {
  type Config,
  defineConfig,
  parseConfig,
  type Rule,
  type Settings,
  settingsFor,
} from './config/config.js';
export { configJsonSchema } from './config/config-json-schema.js';
export { type ModelId, matches } from './config/match.js';
export type { NativeForm } from './config/native-forms.js';
export {
  createContainer,
  type Preset,
  type PresetRule,
  registerEditKind,
  registerNativeForm,
  registerPreset,
  registerResolver,
  registerStrategy,
  resolveStrategy,
  type StrategyClass,
  strategyNames,
  strategyToken,
} from './config/registry.js';
export {
  type ConfiguredStrategy,
  type StrategyDeclaration,
  type StrategyFactory,
  strategyFactory,
} from './config/strategy-factory.js';
export { optionsToken, parseOptions } from './config/strategy-options.js';
export { bpeCounter, type Encoding } from './count/bpe.js';
export { Calibration, type CalibrationState, type Coefficients, type Counted } from './count/calibrate.js';
export type { Quality } from './count/count.js';
export { MessageCounter, type MessageTokens, type TokenCounter, type TokenOverhead } from './count/count.js';
export { estimateTokens } from './count/estimate.js';
export type { BoundsOf, UsageBounds } from './count/usage-bounds.js';
// For compatibility: these are in `@ctx/core/kit`, where new ones go.
export { type CutJsonOptions, cutJson } from './kit/cut-json.js';
export { type CutOptions, cutText, type Gone, pluralise } from './kit/cut-text.js';
export { pathNormalizer } from './kit/file-path.js';
export { type FileSection, fileSections } from './kit/file-sections.js';
export {
  type FileTool,
  fileReadTools,
  filesOf,
  fileToolOf,
  fileWriteTools,
  pathArguments,
  pathsOf,
  terminalTools,
} from './kit/file-tools.js';
export {
  type ImportanceKeywords,
  type ImportanceOptions,
  type ImportanceScore,
  importanceKeywords,
  type KeywordList,
  messagesToKeep,
  scoreMessage,
  scoreMessages,
} from './kit/importance.js';
export { type ToolUse, toolUsesOf } from './kit/tool-use.js';
export { type CompressMessagesOptions, compressMessages } from './manager/compress-messages.js';
export { ContextManager, createContextManager } from './manager/context-manager.js';
export type { Hint } from './manager/hints.js';
export type { CheckOptions, CompressOptions, ManagerOptions } from './manager/manager-options.js';
export type { ManagerReport } from './manager/report.js';
export type { Snapshot } from './manager/snapshot.js';
export type { ManagerStatus } from './manager/status.js';
export type { SyncOutcome } from './manager/sync.js';
export { carriedLosses } from './transcript/carried-losses.js';
export type { Codec, DecodeContext, NativeHistory, NativeLoss, NativeViolation } from './transcript/codec.js';
export {
  type FilePart,
  type ImagePart,
  isErrorResult,
  isTextOutput,
  type Message,
  type MessageId,
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
} from './transcript/message.js';
export { sourcesOf } from './transcript/source-parts.js';
export { Transcript, type TranscriptMessage, unansweredOutput } from './transcript/transcript.js';
export type { ChatModel, ChatRequest, Completion } from './view/chat-model.js';
export { isCrowded } from './view/crowded.js';
export type { Draft } from './view/draft.js';
export type {
  CustomEdit,
  DropCallsEdit,
  DropEdit,
  Edit,
  FoldEdit,
  MergeEdit,
  ReplaceEdit,
  ResolvedEdit,
  SummarizeEdit,
} from './view/edit.js';
export { replacePart } from './view/edited-message.js';
export {
  about,
  type Change,
  type Check,
  type EditKind,
  fewerTokens,
  idsIn,
  wholeExchanges,
} from './view/edits/edit-kind.js';
export { isResolved } from './view/edits/index.js';
export { compareByPriority, dropsInOrder, type Exchange, exchangesOf } from './view/exchange.js';
export { type Applied, applyEdits, type GateRules, type RejectedEdit } from './view/gate.js';
export {
  assignPriorities,
  assignPriority,
  type PriorityInput,
  type PriorityPreset,
} from './view/priority.js';
export { type Protection, type ProtectionRules, protectionOf } from './view/protection.js';
export {
  type EditResolver,
  type Folder,
  folderToken,
  type NumberedMessage,
  type ResolveContext,
  type SummarizeRequest,
  type Summarizer,
  summarizerToken,
} from './view/resolver.js';
export { sparing } from './view/sparing.js';
export {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  type ViewMessage,
} from './view/strategy.js';
export {
  type InvariantName,
  invariantNames,
  type ViewRules,
  type Violation,
  validateView,
} from './view/validate.js';
export { View } from './view/view.js';
export type { Dropped, Marker, ViewEntry } from './view/view-entry.js';
