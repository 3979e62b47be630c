import type { Archive, PassageSource } from '@ctx/core';

/** One conversation of an archive, to be read without a manager. */
export function passagesOf(archive: Archive, conversation: string): PassageSource {
  return {
    find: (query, options) => archive.search(query, { ...options, conversation }),
    read: (ref, options) => archive.get(ref, { ...options, conversation }),
  };
}
