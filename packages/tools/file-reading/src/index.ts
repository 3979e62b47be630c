export type { FileProblem, FileSystem } from '@ctx/folder-reader';
export { checkBatch, checkFile, checkFileSize } from './check-file.js';
export { chunkAdvice } from './chunk-advice.js';
export { canAddTokens, recommendFileReadingStrategy } from './context-budget.js';
export { getFileSizeInfo } from './file-size.js';
export { getFileReadingLimitsForModel } from './limits.js';
export { readFiles } from './read-files.js';
