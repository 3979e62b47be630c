import type { Archive } from '@ctx/core';
import { archiveOn } from './archive-on.js';
import type { ArchiveOptions } from './archive-options.js';
import { memoryStore } from './memory/store.js';

/**
 * An archive in memory: what it holds is gone with the process.
 * @throws ConfigError for options that cannot work
 */
export function memoryArchive(options: ArchiveOptions = {}): Archive {
  return archiveOn(memoryStore(), options);
}
