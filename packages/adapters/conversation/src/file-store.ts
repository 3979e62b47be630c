import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import type { StateStore } from './store.js';

/**
 * Keeps each state in a file of a folder, which is made if it is missing and readable for its owner only. A state is written beside the old
 * one first, so that a crash leaves one of them whole. For one process at a time. Its functions throw what the file system does, and
 * `snapshot-invalid` for a pipe or a device, which might never end.
 */
export function fileStore(folder: string): StateStore {
  const pathOf = (key: string) => join(folder, `${encodeURIComponent(key).replaceAll('*', '%2A')}.json`);
  const get: StateStore['get'] = async (key) => {
    try {
      return JSON.parse(await readFile(await regular(pathOf(key)), 'utf8'));
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

/** The path of a file that ends. */
async function regular(path: string): Promise<string> {
  if ((await stat(path)).isFile()) return path;
  throw new CtxError({
    code: 'snapshot-invalid',
    problem: 'The path of a saved state is not a regular file',
    place: path,
    remedy: 'Give another folder, or take away what is there.',
  });
}
