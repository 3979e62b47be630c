import type { Folder } from '@ctx/core';
import type { FoldedFiles } from './fold-files.js';
import { type FileFoldingOptions, type FolderOptions, parseFolderOptions } from './fold-options.js';

// Code that uses Node and tree-sitter is loaded on its first call, so that the strategy itself is small and runs everywhere.

/**
 * Folds files to the names of the classes, interfaces and functions that they define, each file in its own block. Skips and counts files
 * that are missing, ignored, binary, empty, too large, in another language or outside `cwd`; none of these is an error. If the result
 * is too large, drops files at random.
 * @param paths relative to `cwd` or absolute, the most important first; each file counts once
 * @throws ConfigError `config-invalid`; CtxError `package-missing` if the grammars are not installed; the signal's reason when it aborts
 */
export async function foldFiles(paths: readonly string[], options: FileFoldingOptions): Promise<FoldedFiles> {
  const files = await import('./fold-files.js');
  return files.foldFiles(paths, options);
}

/**
 * Creates core's port `fold`. It folds the result of a file read to the names of what the text defines. The text may be numbered and may
 * contain several files. `fold` throws a CtxError `nothing-to-fold` if the text defines nothing.
 * @throws ConfigError `config-invalid`
 */
export function createFolder(options: FolderOptions = {}): Folder {
  const settings = parseFolderOptions(options);
  return { fold: async (request) => (await import('./port.js')).createFolder(settings).fold(request) };
}
