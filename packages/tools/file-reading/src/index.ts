export { type BudgetBand, type BudgetParts, type ContextBudget, contextBudget } from '@ctx/core/parts';
export type { FileProblem, FileProblemReason, FileStat, FileSystem, OpenFile } from '@ctx/folder-reader';
export {
  type BatchContext,
  checkBatch,
  checkFile,
  checkFileSize,
  type RefusalReason,
  type SizeCheck,
  type SizedFile,
} from './check-file.js';
export { chunkAdvice, chunkLines, estimateLineRange, type LargeFile, sizeAdvice } from './chunk-advice.js';
export {
  type AddTokensCheck,
  canAddTokens,
  type FileEstimate,
  type FileReadingRecommendation,
  type FileReadingStrategy,
  recommendFileReadingStrategy,
} from './context-budget.js';
export { type FileSizeInfo, fileSizeInfo, getFileSizeInfo } from './file-size.js';
export {
  defaultFileReadingLimits,
  type FileReadingLimits,
  fileReadingLimits,
  getFileReadingLimitsForModel,
  type LimitOverrides,
  withSafetyBuffer,
} from './limits.js';
export { addReads, noReads, type ReadCounts } from './read-counts.js';
export { readFiles } from './read-files.js';
export type { BudgetSource, ReadFilesOptions } from './read-options.js';
export type { ReadReport, ReadTotals } from './read-report.js';
export type { FileReadResult, ReadFile, Refusal, RefusedFile } from './read-result.js';
export { escapeXml, filesText, filesXml, fileXml, type Rendered } from './render.js';
