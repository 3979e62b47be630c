export type { AnswerUsage } from './answer-usage.js';
export { type ContextFetchOptions, contextFetch } from './context-fetch.js';
export {
  ContextRequests,
  type ContextRequestsOptions,
  type SendingOptions,
  type SentRequest,
} from './context-requests.js';
export type { ContextRequest } from './conversation-key.js';
export type { HiddenTool } from './hidden/hidden-tool.js';
export { isReadEndpoint, type Purpose } from './request-purpose.js';
export type { RequestReport } from './request-report.js';
export { largestBody } from './request-text.js';
