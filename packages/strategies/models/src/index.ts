export { type AiSdkLanguageModel, aiSdkModel } from './ai-sdk-model.js';
export { anthropicCompatible } from './anthropic-compatible.js';
export {
  type ChatModel,
  type ChatRequest,
  type Completion,
  ModelError,
  type ModelErrorKind,
} from './chat-model.js';
export type { EndpointOptions, Prices } from './model-request.js';
export { openaiCompatible } from './openai-compatible.js';
