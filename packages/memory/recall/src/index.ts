export type { PassageSource } from '@ctx/core';
export { anthropicRecall, googleRecall, openaiChatRecall, openaiResponsesRecall } from './forms.js';
export { passagesOf, type RecallSource, recallTool } from './recall-tool.js';
