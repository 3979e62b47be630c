export type { AnswerUsage } from './answer-usage.js';
export { type ContextFetchOptions, contextFetch } from './context-fetch.js';
export { ContextRequests, type ContextRequestsOptions, preparerOf } from './context-requests.js';
export type { HiddenTool } from './hidden/hidden-tool.js';
export type { HiddenExchange, PreparedRequest, RequestPreparer } from './prepared-request.js';
export { isReadEndpoint, type Purpose } from './request-purpose.js';
export type { PreparedReport, RequestReport } from './request-report.js';
export type { FetchCall } from './request-text.js';
export { largestBody } from './unpacking.js';
