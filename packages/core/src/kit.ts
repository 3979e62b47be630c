export { digestOf } from './base/digest.js';
export { type CutJsonOptions, cutJson } from './kit/cut-json.js';
export { type CutOptions, cutText, type Gone, pluralise } from './kit/cut-text.js';
export { pathNormalizer } from './kit/file-path.js';
export { type FileSection, fileSections } from './kit/file-sections.js';
export { fileToolSchema } from './kit/file-tool-schema.js';
export {
  type FileTool,
  fileReadTools,
  filesOf,
  fileToolOf,
  fileWriteTools,
  pathArguments,
  pathsOf,
  terminalTools,
} from './kit/file-tools.js';
export {
  type ImportanceKeywords,
  type ImportanceOptions,
  type ImportanceScore,
  importanceKeywords,
  type KeywordList,
  messagesToKeep,
  scoreMessage,
  scoreMessages,
} from './kit/importance.js';
export { type ToolUse, toolUsesOf } from './kit/tool-use.js';
