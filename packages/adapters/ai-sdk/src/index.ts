export { contextMiddleware } from './context-middleware.js';
export { contextPrepareStep } from './context-prepare-step.js';
