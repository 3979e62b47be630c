export type { Archive } from '@ctx/core';
export { archiveOn } from './archive-on.js';
export { entriesOf } from './entries.js';
export { memoryArchive } from './memory/store.js';
export { parseRef, type Ref, refText } from './ref.js';
