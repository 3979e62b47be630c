export { type AgentName, agentNames } from './agents.js';
export type {
  DuplicatesOptions,
  GiantsOptions,
  ReadsOptions,
  ReadTool,
  SupersededOptions,
  TerminalOptions,
  ToolResultsInput,
  ToolResultsOptions,
} from './options.js';
export { placeholders, snowPlaceholders } from './placeholders.js';
export { register, ToolResultsStrategy, toolResults } from './tool-results.js';
