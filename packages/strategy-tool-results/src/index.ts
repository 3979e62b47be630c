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
export { register, toolResults } from './tool-results.js';
