export { centreRemoval } from './centre-removal.js';
export { foldReads } from './fold-reads.js';
export { Middle } from './middle.js';
export type { SmartTruncationOptions } from './options.js';
export { register, smartTruncation } from './smart-truncation.js';
export { toolFilter } from './tool-filter.js';
