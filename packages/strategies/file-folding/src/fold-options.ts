import type { TokenCounter } from '@ctx/core';
import { parseOptions } from '@ctx/core/kit';
import * as z from 'zod';

/** Port: decides which files of a project must not be read. */
export interface IgnoreRules {
  /** @param path relative to the project's folder, with `/` */
  isIgnored(path: string): boolean | Promise<boolean>;
}

export interface FolderOptions {
  /** The project's folder. If given, a read whose text can't be folded is folded from the file on disk. @default none */
  readonly cwd?: string | undefined;
  /** The files that are not read; `false` for none. @default the rules of `.gitignore` and `.rooignore` */
  readonly ignore?: IgnoreRules | false | undefined;
  /** Puts the names of neighbouring functions on one line. @default true */
  readonly mergeFunctions?: boolean | undefined;
  /** The most lines of source that one line of function names may span. @default 100 */
  readonly maxLineSpan?: number | undefined;
}

export interface FileFoldingOptions extends FolderOptions {
  /** The project's folder. No path leads out of it, not even through a link. */
  readonly cwd: string;
  /** The most tokens of the result. If it has more, files are dropped at random. @default 10_000 */
  readonly maxTokens?: number | undefined;
  /** @default exact BPE, o200k_base */
  readonly counter?: TokenCounter | undefined;
  readonly signal?: AbortSignal | undefined;
}

const folder = z.string().min(1);
const merging = {
  mergeFunctions: z.boolean().default(true),
  maxLineSpan: z.int().min(0).default(100),
};
const folderSchema = z.strictObject({ cwd: folder.optional(), ...merging });
const schema = z.strictObject({ cwd: folder, maxTokens: z.int().min(1).default(10_000), ...merging });

/** @throws ConfigError `config-invalid` */
export function parseFoldOptions(options: FileFoldingOptions) {
  const { ignore, counter, signal, ...plain } = options ?? {};
  return { ...parseOptions('foldFiles', schema, plain), ignore, counter, signal };
}

/** @throws ConfigError `config-invalid` */
export function parseFolderOptions(options: FolderOptions) {
  const { ignore, ...plain } = options;
  return { ...parseOptions('createFolder', folderSchema, plain), ignore };
}
