import { bpeCounter, pathNormalizer, seededRandom, type TokenCounter } from '@ctx/core';
import { extractDefinitions } from './definitions/extract.js';
import { dropAtRandom } from './drop.js';
import { type FileFoldingOptions, type IgnoreRules, parseFoldOptions } from './fold-options.js';
import { ignoreFiles } from './folder/ignore-files.js';
import { pathInside, readInside, type SkipReason } from './folder/read-inside.js';
import { mergeDefinitions, renderFile } from './render.js';

/** A folded file. */
interface FoldedSection {
  readonly path: string;
  /** Its block in the content. */
  readonly text: string;
}

export interface FoldedFiles {
  /** The blocks of all sections, separated by empty lines. */
  readonly content: string;
  readonly sections: readonly FoldedSection[];
  /** The number of files in the content. Every file is either processed, skipped or dropped. */
  readonly filesProcessed: number;
  readonly filesSkipped: number;
  readonly filesDropped: number;
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
  readonly dropped: readonly string[];
  /** Tokens of the folded files before folding. `tokensAfter` is the tokens of the content. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

type Settings = ReturnType<typeof parseFoldOptions>;
type Folded = FoldedSection & { readonly sourceTokens: number };

/** In bytes. Larger files are hardly ever written by people. */
const largestFile = 1_000_000;
/** Files beyond this number are skipped. A limit. */
const mostFiles = 200;

/** See `foldFiles` of the package. */
export async function foldFiles(paths: readonly string[], options: FileFoldingOptions): Promise<FoldedFiles> {
  const settings = parseFoldOptions(options);
  const { cwd, maxTokens, signal, counter = bpeCounter() } = settings;
  const rules = settings.ignore === undefined ? ignoreFiles(cwd) : settings.ignore || undefined;
  await counter.load?.();

  const folded: Folded[] = [];
  const skipped: { path: string; reason: SkipReason }[] = [];
  for (const path of spelledOnce(paths, cwd)) {
    signal?.throwIfAborted();
    const result = folded.length < mostFiles ? await foldOne(path, settings, rules, counter) : 'too-many';
    if (typeof result === 'string') skipped.push({ path, reason: result });
    else folded.push(result);
  }

  const textOf = (sections: readonly Folded[]) => sections.map(({ text }) => text).join('\n\n');
  const tokensOf = (sections: readonly Folded[]) => counter.count(textOf(sections));
  const { kept, dropped } = dropAtRandom(folded, maxTokens, tokensOf, seededRandom(1));
  return {
    content: textOf(kept),
    sections: kept.map(({ path, text }) => ({ path, text })),
    filesProcessed: kept.length,
    filesSkipped: skipped.length,
    filesDropped: dropped.length,
    skipped,
    dropped: dropped.map(({ path }) => path),
    tokensBefore: folded.reduce((sum, { sourceTokens }) => sum + sourceTokens, 0),
    tokensAfter: tokensOf(kept),
  };
}

/** The paths in their order, with only the first spelling of each. */
function spelledOnce(paths: readonly string[], cwd: string): string[] {
  const normal = pathNormalizer(cwd);
  const spellings = new Map<string, string>();
  for (const path of paths) {
    const key = normal(path) || path;
    if (!spellings.has(key)) spellings.set(key, path);
  }
  return [...spellings.values()];
}

async function foldOne(
  path: string,
  settings: Settings,
  rules: IgnoreRules | undefined,
  counter: TokenCounter,
): Promise<Folded | SkipReason> {
  const { cwd, signal } = settings;
  const file = await pathInside(cwd, path);
  if (typeof file === 'string') return file;
  if (await rules?.isIgnored(file.inner)) return 'ignored';
  const reading = await readInside(file, largestFile, signal);
  if ('skipped' in reading) return reading.skipped;
  const definitions = await extractDefinitions(reading.text, { path, signal });
  if (definitions === undefined) return 'unsupported';
  if (definitions.length === 0) return 'nothing-defined';
  const lines = mergeDefinitions(definitions, settings);
  return { path, text: renderFile(path, lines), sourceTokens: counter.count(reading.text) };
}
