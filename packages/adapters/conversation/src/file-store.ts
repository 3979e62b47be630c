import { appendFile, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CtxError } from '@ctx/core';
import type { Store } from './store.js';

/**
 * Keeps each conversation in a file of a folder, which is made if it is missing and readable for its owner only. A text that is set is
 * written beside the old one first, so that a crash leaves one of them whole. Its functions throw what the file system does, and
 * `snapshot-invalid` for a pipe or a device, which might never end.
 */
export function fileStore(folder: string): Store {
  const pathOf = (key: string) => join(folder, `${encodeURIComponent(key).replaceAll('*', '%2A')}.jsonl`);
  const ready = async () => mkdir(folder, { recursive: true, mode: 0o700 });
  let writes = 0;
  return {
    get: async (key) => {
      try {
        return await readFile(await regular(pathOf(key)), 'utf8');
      } catch (error) {
        return ifMissing(undefined)(error);
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
      const path = pathOf(key);
      await appendFile(await regular(path).catch(ifMissing(path)), value, { mode: 0o600 });
    },
  };
}

/** The path of a file that ends, if there is one. */
async function regular(path: string): Promise<string> {
  if ((await stat(path)).isFile()) return path;
  throw new CtxError({
    code: 'snapshot-invalid',
    problem: 'The path of a saved conversation is not a regular file',
    place: path,
    remedy: 'Give another folder, or take away what is there.',
  });
}

/** What stands for a file that is not there. */
const ifMissing =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if ((error as { code?: unknown }).code === 'ENOENT') return value;
    throw error;
  };
