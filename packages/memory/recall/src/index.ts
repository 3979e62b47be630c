export type { PassageSource } from '@ctx/core';
export { passagesOf, type RecallSource, recallTool } from './recall-tool.js';
