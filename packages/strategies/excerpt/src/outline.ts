import type { Source } from './candidates.js';
import { definedBy } from './definition.js';
import { type ExcerptSection, outlineHeading, sectionText } from './excerpt-text.js';
import { oldTexts } from './file-state.js';
import { withinRoot } from './root-folder.js';
import { perSection } from './sections.js';
import { indexShare } from './weights.js';

export interface OutlineOptions {
  /** The tokens of the excerpts that it is a part of. */
  readonly excerptTokens: number;
  /** The folder from which on paths are written. */
  readonly root: string;
  tokensOf(text: string): number;
}

/**
 * The names that files define, newest file first as far as there is room, written in the order in which they were read: where to look for what
 * is not shown. Undefined if there are none.
 */
export function outlineOf(
  sources: readonly Source[],
  { excerptTokens, root, tokensOf }: OutlineOptions,
): ExcerptSection | undefined {
  const lines: string[] = [];
  let left = excerptTokens * indexShare - tokensOf(sectionText({ heading: outlineHeading, text: '' }));
  for (const [path, names] of [...namesIn(sources)].reverse()) {
    if (names.size === 0) continue;
    const line = lineOf(withinRoot(path, root), [...names]);
    left -= tokensOf(`\n${line}`);
    if (left < 0) break;
    lines.unshift(line);
  }
  return lines.length === 0 ? undefined : { heading: outlineHeading, text: lines.join('\n') };
}

/** The names that the newest state of each file defines, in the order in which the files were seen last. */
function namesIn(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map<string, Set<string>>();
  for (const { file, section, weight } of sources) {
    if (section.heading === outlineHeading) readInto(files, section.blocks[0]?.text ?? '');
    if (file === undefined || isDocument.test(file) || section.kind !== 'call') continue;
    const names = files.get(file) ?? new Set<string>();
    const { gone, shown } = definedOf(section);
    for (const name of gone) names.delete(name);
    if (weight < 1) continue;
    for (const name of shown) names.add(name);
    files.delete(file);
    files.set(file, names);
  }
  return files;
}

/** The names that a call's text defines, and those of the text that it replaces. */
const definedOf = perSection((section) => {
  // A call that writes shows its text in its arguments, one that reads in its result.
  const written = section.blocks.filter(({ voice }) => voice === 'agent');
  const texts = written.length > 0 ? written : section.blocks;
  return { gone: oldTexts(section).flatMap(definedIn), shown: texts.flatMap(({ text }) => definedIn(text)) };
});

/** Takes over the lines of an earlier outline. */
function readInto(files: Map<string, Set<string>>, outline: string): void {
  for (const line of outline.split('\n')) {
    const [path = '', names = ''] = line.split(': ', 2);
    if (names !== '') files.set(path, new Set(names.replace(/, … \d+ more$/, '').split(', ')));
  }
}

function lineOf(path: string, names: readonly string[]): string {
  const shown = names.slice(0, mostDefined).join(', ');
  const left = names.length - mostDefined;
  return `${path}: ${shown}${left > 0 ? `, … ${left} more` : ''}`;
}

/** Code in documents is an example. */
const isDocument = /\.(?:mdx?|rst|txt|adoc)$/i;
/** UTF-16 units of the shortest name that is listed. A limit. */
const shortestName = 3;
/** Names of a file that are listed. A limit. */
const mostDefined = 30;

/** The names that a text defines, each at the beginning of a line. */
function definedIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const name = definedBy(line) ?? '';
    return name.length < shortestName ? [] : [name];
  });
}
