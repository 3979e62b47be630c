export { contextBedrock } from './context-bedrock.js';
export { type ContextFetchOptions, contextFetch } from './context-fetch.js';
export { ContextRequests, preparerOf } from './context-requests.js';
export type { HiddenExchange, PreparedRequest, RequestPreparer } from './prepared-request.js';
export { isReadEndpoint, type Purpose } from './request-purpose.js';
export type { PreparedReport, RequestReport } from './request-report.js';
export { largestBody } from './unpacking.js';
