export { aiSdkModel } from './ai-sdk-model.js';
export { anthropicCompatible } from './anthropic-compatible.js';
export { type ChatModel, ModelError } from './chat-model.js';
export type { Prices } from './model-request.js';
export { openaiCompatible } from './openai-compatible.js';
