import { CtxError, type Folder } from '@ctx/core';
import { fileSections } from '@ctx/core/kit';
import { extractDefinitions } from './definitions/extract.js';
import { foldFiles } from './fold-files.js';
import type { parseFolderOptions } from './fold-options.js';
import { foldedNote, mergeDefinitions, renderFile } from './render.js';

/** Line numbers as tools write them: `   12→`, `12\t`, `12 | `, `12: `, `12|`, `12->`, `L12: `, and only `12` for an empty line. */
const lineNumber = /^[ \t]*L?\d{1,7}(?:→|->|\t| ?\| ?|: ?|\s*$)/;
const wrapper = /^[ \t]*<\/?(?:file|path|content|file_content|files)\b[^<>]{0,400}>[ \t]*$/;
/** The number of lines that decide whether a text is numbered. */
const sample = 40;

/** See `createFolder` of the package. */
export function createFolder({ cwd, ignore, ...merging }: ReturnType<typeof parseFolderOptions>): Folder {
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
        (cwd === undefined ? undefined : await foldFromDisk(paths, { cwd, ignore, ...merging, signal }));
      if (folded === undefined)
        throw new CtxError({
          code: 'nothing-to-fold',
          problem: 'The text that was read defines nothing, or its language is not supported',
          place: paths.join(', '),
          remedy: 'The text stays as it is.',
        });
      return `${foldedNote(text.split('\n').length)}\n${folded}`;
    },
  };
}

/** Folds the files on disk, but only if all of them can be folded. Otherwise part of the read would be lost. */
async function foldFromDisk(paths: readonly string[], options: Parameters<typeof foldFiles>[1]) {
  const { content, filesProcessed } = await foldFiles(paths, options);
  return filesProcessed > 0 && filesProcessed === new Set(paths).size ? content : undefined;
}

/** The source text of one file in a tool result, without line numbers, wrapping elements and notes after it. */
function sourceText(text: string): string {
  const note = text.trimEnd().endsWith('</system-reminder>') ? text.lastIndexOf('\n<system-reminder>') : -1;
  const lines = text
    .slice(0, note < 0 ? undefined : note)
    .split('\n')
    .filter((line) => !wrapper.test(line.slice(0, 500)));
  const looked = lines.filter((line) => line.trim() !== '').slice(0, sample);
  const numbered = looked.filter((line) => lineNumber.test(line)).length;
  const isNumbered = looked.length > 0 && numbered >= looked.length * 0.9;
  return lines.map((line) => (isNumbered ? line.replace(lineNumber, '') : line)).join('\n');
}
