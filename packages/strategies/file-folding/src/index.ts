export { FileFoldingStrategy, fileFolding, register } from './file-folding.js';
export type { FileFoldingOptions, IgnoreRules } from './fold-options.js';
export { createFolder, foldFiles } from './on-demand.js';
