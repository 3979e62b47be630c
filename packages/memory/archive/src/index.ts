export type {
  Archive,
  ArchivedMessage,
  ArchiveEntry,
  ArchiveForgetOptions,
  ArchiveGetOptions,
  ArchiveKind,
  ArchivePassage,
  ArchiveSearchOptions,
} from '@ctx/core';
export { archiveOn } from './archive-on.js';
export type { ArchiveOptions } from './archive-options.js';
export { type EntrySource, entriesOf } from './entries.js';
export { memoryArchive } from './memory.js';
export type { Passage } from './passage.js';
export { parseRef, type Ref, refText } from './ref.js';
export type {
  Hit,
  IndexedPart,
  IndexedPassage,
  Matches,
  Original,
  PassageFilter,
  PassageStore,
  QueryTerm,
  Weighted,
} from './store.js';
export type { Terms } from './terms.js';
