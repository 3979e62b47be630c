export { contextBedrock } from './context-bedrock.js';
export { type ContextFetchOptions, ContextRequests, contextFetch } from './context-requests.js';
export { isReadEndpoint, type Purpose } from './request-purpose.js';
export type { RequestReport } from './request-report.js';
export { largestBody } from './unpacking.js';
