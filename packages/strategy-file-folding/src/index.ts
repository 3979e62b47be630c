export type { Definition, DefinitionKind } from './definitions/definition.js';
export type { ExtractOptions } from './definitions/extract.js';
export { dropAtRandom, dropBatch } from './drop.js';
export { type FoldReadsOptions, fileFolding, register } from './file-folding.js';
export type { FoldedFiles, FoldedSection } from './fold-files.js';
export type { FileFoldingOptions, FolderOptions, IgnoreRules } from './fold-options.js';
export type { SkipReason } from './folder/read-inside.js';
export { type MergeOptions, mergeDefinitions } from './merge.js';
export { createFolder, extractDefinitions, foldFiles, ignoreFiles } from './on-demand.js';
