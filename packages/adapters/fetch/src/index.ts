export type { AnswerUsage } from './answer-usage.js';
export { type ContextFetchOptions, contextFetch } from './context-fetch.js';
export {
  ContextRequests,
  type ContextRequestsOptions,
  preparerOf,
  type SendingOptions,
  type SentRequest,
} from './context-requests.js';
export type { ContextRequest } from './conversation-key.js';
export type { HiddenExchange } from './hidden/hidden-exchange.js';
export type { HiddenTool } from './hidden/hidden-tool.js';
export type { PreparedReport, PreparedRequest, RequestPreparer } from './prepared-request.js';
export { isReadEndpoint, type Purpose } from './request-purpose.js';
export type { RequestReport } from './request-report.js';
export type { FetchCall } from './request-text.js';
export { largestBody } from './unpacked.js';
