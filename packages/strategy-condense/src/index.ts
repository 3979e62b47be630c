export { type AiSdkLanguageModel, aiSdkModel } from './ai-sdk-model.js';
export { anthropicCompatible } from './anthropic-compatible.js';
export {
  type ChatModel,
  type ChatRequest,
  type Completion,
  ModelError,
  type ModelErrorKind,
} from './chat-model.js';
export { CondenseStrategy, condense, register, registerCondense } from './condense.js';
export { createSummarizer, type SummarizerOptions } from './create-summarizer.js';
export { type Extract, type ExtractOptions, extractiveSummary } from './extract.js';
export type { ConversationFacts, ErrorFact, Fact } from './facts.js';
export { factsOf } from './history.js';
export type { LedgerEntry } from './ledger.js';
export type { EndpointOptions, Prices } from './model-request.js';
export { openaiCompatible } from './openai-compatible.js';
export type { CondenseOptions, KeepOptions } from './options.js';
export type { Receipt } from './receipt.js';
export { registerSlidingWindow, SlidingWindowStrategy, slidingWindow } from './sliding-window.js';
