export { base64Of, isBytes, isUrlObject, withoutBytes, writtenAsJson } from './base/bytes.js';
export { CompressionLevel } from './base/compression-level.js';
export { type DependencyContainer, inject, injectable, portToken } from './base/di.js';
export {
  ConfigError,
  ContextOverflowError,
  CtxError,
  type ErrorCode,
  type ErrorFields,
  type OverflowBreakdown,
  ValidationError,
} from './base/errors.js';
export { seededRandom } from './base/random.js';
export { finish, inSlices, type SliceOptions, type Steps } from './base/slices.js';
export type { Wait } from './base/wait.js';
export { isOverflowError } from './budget/overflow.js';
export type { CachePrices, RequestCost } from './budget/request-cost.js';
export { allowedTokens, effectiveThreshold, isThrottled, type Trigger } from './budget/trigger.js';
export type { Usage, UsageOutcome } from './budget/usage-report.js';
export type { ContextEvents, EventName, Listener } from './compress/events.js';
export type { Metrics } from './compress/metrics.js';
export type { CompressionOutcome, ContextStats, Simulation } from './compress/outcome.js';
export type { CompressionRecord, CompressionTotals, StageReport } from './compress/record.js';
export {
  type Config,
  defineConfig,
  type ModelSettings,
  parseConfig,
  type Rule,
  type Settings,
  settingsFor,
} from './config/config.js';
export { createContainer } from './config/container.js';
// All of it, as a module can only be added to under the name that declares it or passes on everything.
export * from './config/known-names.js';
export type { ModelId } from './config/match.js';
export type { NativeForm } from './config/native-forms.js';
export { type Preset, type PresetRule, registerPreset } from './config/presets.js';
export {
  registerEditKind,
  registerNativeForm,
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
export { optionsToken } from './config/strategy-options.js';
export { bpeCounter, type Encoding } from './count/bpe.js';
export { MessageCounter, type TokenCounter, type TokenOverhead } from './count/count.js';
export { estimateTokens } from './count/estimate.js';
export type { MessageTokens } from './count/measured.js';
// Documented under this door before there were others; the rest of `@ctx/core/kit` is there only.
export { cutJson } from './kit/cut-json.js';
export { cutText } from './kit/cut-text.js';
export { pathNormalizer } from './kit/file-path.js';
export { filesOf } from './kit/file-tools.js';
export { scoreMessage, scoreMessages } from './kit/importance.js';
export { toolUsesOf } from './kit/tool-use.js';
export type { ArchiveState } from './manager/archive-link.js';
export type {
  BeforeCompress,
  CompressionDecision,
  PendingCompression,
} from './manager/before-compress.js';
export { type CompressMessagesOptions, compressMessages } from './manager/compress-messages.js';
export { ContextManager, createContextManager } from './manager/context-manager.js';
export type { Hint } from './manager/hints.js';
export type { CheckOptions, CompressOptions, ManagerOptions } from './manager/manager-options.js';
export type { ManagerReport } from './manager/report.js';
export type { Snapshot } from './manager/snapshot.js';
export type { ManagerStatus } from './manager/status.js';
export type { SyncOutcome } from './manager/sync.js';
export type {
  Archive,
  ArchivedMessage,
  ArchiveEntry,
  ArchiveForgetOptions,
  ArchiveGetOptions,
  ArchiveKind,
  ArchivePassage,
  ArchiveSearchOptions,
  FindOptions,
  PassageSource,
} from './transcript/archive.js';
export type { Codec } from './transcript/codec.js';
export {
  type FilePart,
  type ImagePart,
  isErrorResult,
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
export type { TranscriptMessage } from './transcript/transcript.js';
export type { ChatModel, ChatRequest, Completion } from './view/chat-model.js';
export type { CustomEdit, Edit } from './view/edit.js';
export { type EditKind, fewerTokens } from './view/edits/edit-kind.js';
export { dropsInOrder, type Exchange, exchangesOf } from './view/exchange.js';
export type { RejectedEdit } from './view/gate.js';
export {
  assignPriorities,
  assignPriority,
  type PriorityInput,
  type PriorityPreset,
} from './view/priority.js';
export {
  type EditResolver,
  type Folder,
  folderToken,
  type ResolveContext,
  type SummarizeRequest,
  type Summarizer,
  summarizerToken,
} from './view/resolver.js';
export {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  type SimulatedSize,
  type ViewMessage,
} from './view/strategy.js';
export { type InvariantName, invariantNames } from './view/validate.js';
export { View } from './view/view.js';
export type { ViewEntry } from './view/view-entry.js';
export type { Whereabouts } from './view/whereabouts.js';
