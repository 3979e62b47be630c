export type { Archive } from '@ctx/core';
export { archiveOn } from './archive.js';
export { entriesOf } from './entries.js';
export { memoryArchive } from './memory.js';
export { parseRef, type Ref, refText } from './ref.js';
