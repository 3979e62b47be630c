/** @deprecated The name of a class before strategies were declared once; use `fileFolding`. */
export { register } from './file-folding.js';
export type { FileFoldingOptions, IgnoreRules } from './fold-options.js';
export { createFolder, extractDefinitions, foldFiles } from './on-demand.js';
