export { type ContextFetchOptions, type ContextRequest, contextFetch } from './context-fetch.js';
