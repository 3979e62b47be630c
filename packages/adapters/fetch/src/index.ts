export { contextBedrock } from './context-bedrock.js';
export { ContextRequests, contextFetch } from './context-requests.js';
export type { ContextFetchOptions } from './fetch-options.js';
export type { RequestReport } from './managed-request.js';
export { isReadEndpoint } from './request-purpose.js';
export { largestBody } from './unpacking.js';
export type { Purpose } from './wire-form.js';
