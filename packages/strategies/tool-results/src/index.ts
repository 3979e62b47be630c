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
/** @deprecated The name of a class before strategies were declared once; use `toolResults`. */
export { register, toolResults, toolResults as ToolResultsStrategy } from './tool-results.js';
