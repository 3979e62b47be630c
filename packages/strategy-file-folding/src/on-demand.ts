import type { Folder } from '@ctx/core';
import type { Definition } from './definitions/definition.js';
import type { ExtractOptions } from './definitions/extract.js';
import type { FoldedFiles } from './fold-files.js';
import {
  type FileFoldingOptions,
  type FolderOptions,
  type IgnoreRules,
  parseFolderOptions,
} from './fold-options.js';

// What uses Node and tree-sitter is loaded when it is first called: the strategy itself runs everywhere and is small.

/**
 * Folds files to the names of the classes, interfaces and functions that they define, each in a block of its own. What is
 * not there, ignored, binary, empty, too large, of another language or outside of `cwd` is skipped and counted, never fatal. Where
 * the result is too large, files are dropped at random.
 * @param paths relative to `cwd` or absolute, the most important first; each counts once
 * @throws ConfigError `config-invalid`; the signal's reason when it aborts
 */
export async function foldFiles(paths: readonly string[], options: FileFoldingOptions): Promise<FoldedFiles> {
  const files = await import('./fold-files.js');
  return files.foldFiles(paths, options);
}

/**
 * Core's port `fold`: folds the text of a file read, numbered or not, of one file or of several, to the names of what is
 * defined in it. `fold` throws a CtxError `nothing-to-fold` where nothing is.
 * @throws ConfigError `config-invalid`
 */
export function createFolder(options: FolderOptions = {}): Folder {
  const settings = parseFolderOptions(options);
  const folder = once(async () => (await import('./port.js')).createFolder(settings));
  return { fold: async (request) => (await folder()).fold(request) };
}

/**
 * The rules of the ignore files of a project, those of inner folders too, as git applies them: the innermost file that says
 * something of a path decides, and nothing in an ignored folder is taken back. `.git` is always ignored.
 * @param cwd the project's folder
 * @param names the files that hold rules, default `.gitignore` and `.rooignore`
 */
export function ignoreFiles(cwd: string, names?: readonly string[]): IgnoreRules {
  const rules = once(async () => (await import('./folder/ignore-files.js')).ignoreFiles(cwd, names));
  return { isIgnored: async (path) => (await rules()).isIgnored(path) };
}

/**
 * The definitions in a text, in the order of the text: classes, interfaces, functions, and headings in Markdown. Undefined
 * for a language that is not supported. The text is worked through in slices of 8 ms, between which the event loop goes on.
 * Rejects only with the reason of its signal.
 */
export async function extractDefinitions(
  text: string,
  options: ExtractOptions,
): Promise<readonly Definition[] | undefined> {
  const definitions = await import('./definitions/extract.js');
  return definitions.extractDefinitions(text, options);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
