export type { PassageSource } from '@ctx/core';
export { anthropicRecall } from './anthropic.js';
export { googleRecall } from './google.js';
export { openaiChatRecall, openaiResponsesRecall } from './openai.js';
export { passagesOf } from './passages-of.js';
export { type RecallSource, recallTool } from './recall-tool.js';
