export type { PassageSource } from '@ctx/core';
export { type AnthropicRecall, anthropicRecall } from './anthropic.js';
export type { RecallParameters } from './definition.js';
export { type GoogleRecall, googleRecall } from './google.js';
export {
  type OpenAiChatRecall,
  type OpenAiResponsesRecall,
  openaiChatRecall,
  openaiResponsesRecall,
} from './openai.js';
export { passagesOf } from './passages-of.js';
export type { RecallOptions } from './recall-options.js';
export { type RecallSource, type RecallTool, recallTool } from './recall-tool.js';
