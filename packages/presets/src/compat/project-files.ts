import { ConfigError, type Folder, type Summarizer } from '@ctx/core';
import { createSummarizer, type SummarizerOptions } from '@ctx/strategy-condense';
import {
  createFolder,
  type FileFoldingOptions,
  foldFiles,
  type IgnoreRules,
} from '@ctx/strategy-file-folding';

/** The files of a project that a conversation is about. */
export interface ProjectFiles {
  /** The project's folder. */
  readonly cwd?: string | undefined;
  /** Files that were read, the most important first: the summary ends with what they define. Needs `cwd`. */
  readonly filesReadByRoo?: readonly string[] | undefined;
  /** Which files may not be read. @default the rules of `.gitignore` and `.rooignore` */
  readonly rooIgnoreController?: IgnoreRules | undefined;
  readonly fileFoldingOptions?: Omit<FileFoldingOptions, 'cwd' | 'ignore' | 'signal'> | undefined;
}

/** Share of a summary's length for the files that were read. */
const filesShare = 0.2;

/** A port that folds reads. If a read can't be folded from its text, it folds the file on disk, unless that is ignored. */
export function projectFolder({ cwd, rooIgnoreController, fileFoldingOptions = {} }: ProjectFiles): Folder {
  const { mergeFunctions, maxLineSpan } = fileFoldingOptions;
  const merging = {
    ...(mergeFunctions !== undefined && { mergeFunctions }),
    ...(maxLineSpan !== undefined && { maxLineSpan }),
  };
  const ofText = createFolder(merging);
  if (cwd === undefined) return ofText;
  const ofDisk = createFolder({ cwd, ...merging });
  return {
    async fold(request) {
      const ignored = request.paths.map((path) => rooIgnoreController?.isIgnored(path) ?? false);
      return ((await Promise.all(ignored)).includes(true) ? ofText : ofDisk).fold(request);
    },
  };
}

/**
 * Writes summaries that end with the files that were read, if the caller names them, and then with the surroundings.
 * @throws ConfigError `config-invalid` for files without `cwd`
 */
export function projectSummarizer(
  options: Omit<SummarizerOptions, 'environmentDetails'> & {
    readonly environmentDetails?: string | undefined;
  },
  { cwd, filesReadByRoo = [], rooIgnoreController, fileFoldingOptions = {} }: ProjectFiles,
): Summarizer {
  const { environmentDetails = '' } = options;
  if (filesReadByRoo.length === 0)
    return createSummarizer({
      ...options,
      environmentDetails: environmentDetails === '' ? undefined : () => environmentDetails,
    });
  if (cwd === undefined) throw filesWithoutFolder(filesReadByRoo);
  return {
    asks: () => true,
    async summarize(request) {
      const { maxTokens = 10_000 } = fileFoldingOptions;
      const { content } = await foldFiles(filesReadByRoo, {
        ...fileFoldingOptions,
        cwd,
        ...(rooIgnoreController !== undefined && { ignore: rooIgnoreController }),
        maxTokens: Math.max(1, Math.min(maxTokens, Math.floor(filesShare * request.maxTokens))),
        signal: request.signal,
      });
      const details = [content, environmentDetails].filter((part) => part !== '').join('\n\n');
      const summarizer = createSummarizer({ ...options, environmentDetails: () => details });
      return summarizer.summarize({ ...request, folder: undefined });
    },
  };
}

function filesWithoutFolder(files: readonly string[]): ConfigError {
  return new ConfigError({
    code: 'config-invalid',
    problem: 'Files can be folded only inside a folder',
    place: 'filesReadByRoo',
    value: files,
    remedy: "Give the project's folder in cwd.",
  });
}
