import { resolve } from 'node:path';
import { type Base, type FileSystem, problemOf } from '@ctx/folder-reader';
import { invalidOption } from './parse-option.js';

/**
 * The folder that files are read from.
 * @throws ConfigError `config-invalid` when the root can't be found
 */
export async function baseOf(root: string | undefined, fileSystem: FileSystem): Promise<Base> {
  if (root === undefined) return { folder: resolve(), root };
  try {
    return { folder: resolve(root), root: await fileSystem.realpath(root) };
  } catch (error) {
    throw invalidOption('root', `The root can't be used: ${problemOf(error).error}`, root);
  }
}
