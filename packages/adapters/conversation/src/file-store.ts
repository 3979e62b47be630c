import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from './store.js';

/**
 * Keeps each conversation in a file of a folder, which is made if it is missing and readable for its owner only. A text that is set is
 * written beside the old one first, so that a crash leaves one of them whole.
 */
export function fileStore(folder: string): Store {
  const pathOf = (key: string) => join(folder, `${encodeURIComponent(key).replaceAll('*', '%2A')}.jsonl`);
  const ready = async () => mkdir(folder, { recursive: true, mode: 0o700 });
  let writes = 0;
  return {
    get: async (key) => {
      try {
        return await readFile(pathOf(key), 'utf8');
      } catch (error) {
        if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    set: async (key, value) => {
      await ready();
      writes += 1;
      const path = pathOf(key);
      const beside = `${path}.${process.pid}-${writes}`;
      await writeFile(beside, value, { mode: 0o600 });
      await rename(beside, path);
    },
    append: async (key, value) => {
      await ready();
      await appendFile(pathOf(key), value, { mode: 0o600 });
    },
  };
}
