import { bpeCounter, seededRandom } from '@ctx/core';
import { extractDefinitions } from './definitions/extract.js';
import { dropAtRandom } from './drop.js';
import { type FileFoldingOptions, type IgnoreRules, parseFoldOptions } from './fold-options.js';
import { ignoreFiles } from './folder/ignore-files.js';
import { pathInside, readInside, type SkipReason } from './folder/read-inside.js';
import { mergeDefinitions } from './merge.js';
import { renderFile } from './render.js';

/** One file, folded. */
export interface FoldedSection {
  readonly path: string;
  /** Its block in the result. */
  readonly text: string;
}

export interface FoldedFiles {
  /** The blocks of all sections, an empty line between them. */
  readonly content: string;
  readonly sections: readonly FoldedSection[];
  /** Files in the content, files that were skipped, and files that were dropped: together every path once. */
  readonly filesProcessed: number;
  readonly filesSkipped: number;
  readonly filesDropped: number;
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason }[];
  readonly dropped: readonly string[];
  /** Tokens of the files that were folded, as they are, and of the content. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

type Folded = FoldedSection & { readonly source: string };

/** See `foldFiles` of the package. */
export async function foldFiles(paths: readonly string[], options: FileFoldingOptions): Promise<FoldedFiles> {
  const settings = parseFoldOptions(options);
  const { cwd, maxTokens, maxFiles, seed, signal, counter = bpeCounter() } = settings;
  const rules = settings.ignore === undefined ? ignoreFiles(cwd) : settings.ignore || undefined;
  await counter.load?.();

  const folded: Folded[] = [];
  const skipped: { path: string; reason: SkipReason }[] = [];
  const seen = new Set<string>();
  for (const path of new Set(paths)) {
    signal?.throwIfAborted();
    const file = folded.length < maxFiles ? await locate(path, cwd, rules) : 'too-many';
    if (typeof file === 'object' && seen.has(file.inner)) continue;
    const result = typeof file === 'string' ? file : await foldOne(path, file.real, settings);
    if (typeof file === 'object') seen.add(file.inner);
    if (typeof result === 'string') skipped.push({ path, reason: result });
    else folded.push(result);
  }

  const textOf = (sections: readonly Folded[]) => sections.map(({ text }) => text).join('\n\n');
  const tokensOf = (sections: readonly Folded[]) => counter.count(textOf(sections));
  const { kept, dropped } = dropAtRandom(folded, { maxTokens, tokensOf, random: seededRandom(seed) });
  return {
    content: textOf(kept),
    sections: kept.map(({ path, text }) => ({ path, text })),
    filesProcessed: kept.length,
    filesSkipped: skipped.length,
    filesDropped: dropped.length,
    skipped,
    dropped: dropped.map(({ path }) => path),
    tokensBefore: folded.reduce((sum, { source }) => sum + counter.count(source), 0),
    tokensAfter: tokensOf(kept),
  };
}

async function locate(path: string, cwd: string, rules: IgnoreRules | undefined) {
  const file = await pathInside(cwd, path);
  if (typeof file === 'string') return file;
  return (await rules?.isIgnored(file.inner)) ? 'ignored' : file;
}

async function foldOne(
  path: string,
  real: string,
  settings: ReturnType<typeof parseFoldOptions>,
): Promise<Folded | SkipReason> {
  const { maxFileBytes, fallback, signal } = settings;
  const reading = await readInside(real, maxFileBytes, signal);
  if ('skipped' in reading) return reading.skipped;
  const definitions = await extractDefinitions(reading.text, { path, signal, fallback });
  if (definitions === undefined) return 'unsupported';
  if (definitions.length === 0) return 'nothing-defined';
  return { path, text: renderFile(path, mergeDefinitions(definitions, settings)), source: reading.text };
}
