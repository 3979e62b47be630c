import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateStore } from './store.js';

/**
 * Keeps each state in a file of a folder, which is made if it is missing and readable for its owner only. A state is written beside the old
 * one first, so that a crash leaves one of them whole. For one process at a time. Its functions throw what the file system does.
 */
export function fileStore(folder: string): StateStore {
  const pathOf = (key: string) => join(folder, `${encodeURIComponent(key).replaceAll('*', '%2A')}.json`);
  const get: StateStore['get'] = async (key) => {
    try {
      return JSON.parse(await readFile(pathOf(key), 'utf8'));
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    get,
    put(key, value, version) {
      const written = last.then(async () => {
        if (((await get(key))?.version ?? 0) !== version - 1) return false;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const beside = `${pathOf(key)}.${process.pid}`;
        await writeFile(beside, JSON.stringify({ version, value }), { mode: 0o600 });
        await rename(beside, pathOf(key));
        return true;
      });
      last = written.catch(() => undefined);
      return written;
    },
  };
}
