export type { FileProblem, FileSystem } from '@ctx/strategy-file-folding/folder-reader';
export { canAddTokens, recommendFileReadingStrategy } from './budget.js';
export { getFileReadingLimitsForModel } from './limits.js';
export { readFiles } from './read-files.js';
export { checkBatch, checkFile, checkFileSize, chunkAdvice, getFileSizeInfo } from './size-check.js';
