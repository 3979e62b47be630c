export { contextBedrock } from './context-bedrock.js';
export { ContextRequests, contextFetch } from './context-requests.js';
export type { ContextFetchOptions } from './fetch-options.js';
export { isReadEndpoint, type Purpose } from './request-purpose.js';
export type { RequestReport } from './request-report.js';
export { largestBody } from './unpacking.js';
