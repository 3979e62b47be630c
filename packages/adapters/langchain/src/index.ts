export { type ContextMiddlewareOptions, contextMiddleware } from './context-middleware.js';
export type { ModelCall } from './model-call.js';
