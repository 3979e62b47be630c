export { withoutBytes } from './base/bytes.js';
export { CompressionLevel } from './base/compression-level.js';
export { type Wait, waiting } from './base/deadline.js';
export { type DependencyContainer, inject, injectable } from './base/di.js';
export {
  ConfigError,
  ContextOverflowError,
  CtxError,
  type ErrorFields,
  errorCodes,
  packageMissing,
  ValidationError,
} from './base/errors.js';
export { seededRandom } from './base/random.js';
export { finish, inSlices, type Steps, slicer } from './base/slices.js';
export { contextBudget } from './budget/context-budget.js';
export { allowedTokens, effectiveThreshold } from './budget/trigger.js';
export type { Usage } from './budget/usage-report.js';
export type { ContextEvents } from './compress/events.js';
export type { CompressionOutcome, CompressionRecord } from './compress/record.js';
export {
  type Config,
  defineConfig,
  parseConfig,
  type Rule,
  type Settings,
  settingsFor,
} from './config/config.js';
export { createContainer, registerPreset } from './config/container.js';
export { optionsToken } from './config/faults.js';
// All of it, as a module can only be added to under the name that declares it or passes on everything.
export * from './config/known-names.js';
export type { ModelId } from './config/match.js';
export {
  registerAgentTexts,
  registerEditKind,
  registerNativeForm,
  registerNods,
  registerResolver,
  registerStrategy,
  resolveStrategy,
  strategyNames,
  strategyToken,
} from './config/registry.js';
export { type ConfiguredStrategy, type StrategyFactory, strategyFactory } from './config/strategy-factory.js';
export { bpeCounter } from './count/bpe.js';
export { MessageCounter, type TokenCounter } from './count/count.js';
export { estimateTokens } from './count/estimate.js';
export { cutJson } from './kit/cut-json.js';
export { cutText } from './kit/cut-text.js';
export { pathNormalizer } from './kit/file-path.js';
export { filesOf } from './kit/file-tools.js';
export { scoreMessage, scoreMessages } from './kit/importance.js';
export { toolUsesOf } from './kit/tool-use.js';
export { compressMessages } from './manager/compress-messages.js';
export { ContextManager } from './manager/context-manager.js';
export type { ManagerOptions } from './manager/manager-options.js';
export type {
  Archive,
  ArchivedMessage,
  ArchiveEntry,
  ArchivePassage,
  PassageSource,
} from './transcript/archive.js';
export type { Codec } from './transcript/codec.js';
export {
  type FilePart,
  type ImagePart,
  isErrorResult,
  type Message,
  messageText,
  type OpaquePart,
  outputText,
  type Part,
  partsOf,
  partText,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolOutput,
  type ToolResultPart,
  toolCallsOf,
} from './transcript/message.js';
export { messageSchema } from './transcript/message-schema.js';
export { parseMessage } from './transcript/parse-message.js';
export { priorities } from './transcript/priorities.js';
export type { TranscriptMessage } from './transcript/transcript.js';
export type { CustomEdit, Edit } from './view/edit.js';
export { type EditKind, fewerTokens } from './view/edits/edit-kind.js';
export { dropsInOrder, type Exchange, exchangesOf } from './view/exchange.js';
export { invariantNames } from './view/invariants.js';
export {
  type ChatModel,
  type Folder,
  folderToken,
  type SummarizeRequest,
  type Summarizer,
  summarizerToken,
} from './view/resolver.js';
export {
  type CompressionStrategy,
  defineStrategy,
  type Plan,
  type PlanContext,
  type ViewMessage,
} from './view/strategy.js';
export { View } from './view/view.js';
