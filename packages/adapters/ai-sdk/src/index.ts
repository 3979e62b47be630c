export { contextMiddleware } from './context-middleware.js';
