export type { Definition, DefinitionKind } from './definitions/definition.js';
export type { ExtractOptions } from './definitions/extract.js';
export { dropAtRandom, dropBatch } from './drop.js';
/** @deprecated The name of a class before strategies were declared once; use `fileFolding`. */
export {
  type FoldReadsOptions,
  fileFolding,
  fileFolding as FileFoldingStrategy,
  register,
} from './file-folding.js';
export type { FoldedFiles, FoldedSection } from './fold-files.js';
export type { FileFoldingOptions, FolderOptions, IgnoreRules } from './fold-options.js';
export type { SkipReason } from './folder/read-inside.js';
export { type MergeOptions, mergeDefinitions } from './merge.js';
export { createFolder, extractDefinitions, foldFiles, ignoreFiles } from './on-demand.js';
