import { CtxError, type Folder } from '@ctx/core';
import { fileSections } from '@ctx/core/kit';
import { extractDefinitions } from './definitions/extract.js';
import { foldFiles } from './fold-files.js';
import type { parseFolderOptions } from './fold-options.js';
import { mergeDefinitions } from './merge.js';
import { sourceText } from './read-text.js';
import { foldedNote, renderFile } from './render.js';

/** See `createFolder` of the package. */
export function createFolder({ cwd, ...merging }: ReturnType<typeof parseFolderOptions>): Folder {
  async function foldText(path: string, text: string, signal: AbortSignal): Promise<string | undefined> {
    const definitions = await extractDefinitions(sourceText(text), { path, signal });
    if (definitions === undefined || definitions.length === 0) return undefined;
    return renderFile(path, mergeDefinitions(definitions, merging));
  }

  async function foldSections(text: string, paths: readonly string[], signal: AbortSignal) {
    const [first = ''] = paths;
    const sections =
      fileSections(text, paths) ?? (paths.length === 1 ? [{ path: first, start: 0, end: text.length }] : []);
    const blocks: string[] = [];
    for (const { path, start, end } of sections) {
      const block = await foldText(path, text.slice(start, end), signal);
      if (block === undefined) return undefined;
      blocks.push(block);
    }
    return blocks.length === 0 ? undefined : blocks.join('\n\n');
  }

  return {
    async fold({ text, paths, signal }) {
      const folded =
        (await foldSections(text, paths, signal)) ??
        (cwd === undefined ? undefined : await foldFromDisk(paths, { cwd, ...merging, signal }));
      if (folded === undefined) throw nothingToFold(paths);
      return `${foldedNote(text.split('\n').length)}\n${folded}`;
    },
  };
}

/** Folds the files on disk, but only if all of them can be folded. Otherwise part of the read would be lost. */
async function foldFromDisk(paths: readonly string[], options: Parameters<typeof foldFiles>[1]) {
  const { content, filesProcessed } = await foldFiles(paths, options);
  return filesProcessed > 0 && filesProcessed === new Set(paths).size ? content : undefined;
}

function nothingToFold(paths: readonly string[]): CtxError {
  return new CtxError({
    code: 'nothing-to-fold',
    problem: 'The text that was read defines nothing, or its language is not supported',
    place: paths.join(', '),
    remedy: 'The text stays as it is.',
  });
}
