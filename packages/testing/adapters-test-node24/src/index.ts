export type { ManagedReport } from './middleware.js';
export { newNode } from './node-binary.js';
export type { AgentReport } from './run-agents.js';
