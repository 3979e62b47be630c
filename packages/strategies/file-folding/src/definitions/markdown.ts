import { type Definition, detached } from './definition.js';
import type { Slices } from './slices.js';

interface Heading {
  readonly level: number;
  readonly name: string;
  readonly line: number;
}

const fencePattern = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
const atxPattern = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const setextPattern = /^ {0,3}(=+|-+)[ \t]*$/;
/** Lines that are not text of a paragraph: blank lines, lists, quotes, tables, code and rules. */
const notAParagraph = /^(?:$| {4}|\t| {0,3}(?:[-*+](?:[ \t]|$)|[>|]|\d+[.)][ \t]|(?:[-*_][ \t]*){3,}$))/;
/** In characters. A longer heading of several lines is a paragraph. */
const longestName = 1000;

function withoutClosing(title: string) {
  return title
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim();
}

/**
 * Finds the headings of a Markdown text, including underlined ones. Each extends over its section, to the line before the next heading
 * of the same or a higher level.
 */
export async function markdownHeadings(text: string, slices: Slices): Promise<readonly Definition[]> {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let inFrontMatter = false;
  let paragraph: { name: string; readonly line: number } | undefined;

  const lineCount = await forEachLine(text, slices, (line, number) => {
    const above = paragraph;
    paragraph = undefined;
    if (number === 1 && line === '---') {
      inFrontMatter = true;
      return;
    }
    if (inFrontMatter) {
      inFrontMatter = line !== '---' && line !== '...';
      return;
    }
    const mark = fencePattern.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return;
    }
    if (mark !== undefined) {
      fence = mark;
      return;
    }
    const atx = atxPattern.exec(line);
    if (atx !== null) {
      const name = withoutClosing(atx[2] ?? '');
      if (name !== '') headings.push({ level: atx[1]?.length ?? 1, name, line: number });
      return;
    }
    const underline = above && setextPattern.exec(line)?.[1];
    if (above !== undefined && underline !== undefined) {
      headings.push({ level: underline.startsWith('=') ? 1 : 2, ...above });
      return;
    }
    if (notAParagraph.test(line)) return;
    if (above === undefined) paragraph = { name: line.trim(), line: number };
    else {
      paragraph = above;
      if (above.name.length < longestName) above.name += ` ${line.trim()}`;
    }
  });

  return headings.map(({ level, name, line }, index) => {
    let next = index + 1;
    while ((headings[next]?.level ?? 0) > level) next += 1;
    const endLine = (headings[next]?.line ?? lineCount + 1) - 1;
    return { kind: 'heading', name: detached(name), startLine: line, endLine };
  });
}

/** The number of lines between two looks at the clock. Looking after each line would take longer than the line. */
const linesPerLook = 256;

/** In characters. The rest of a longer line is not read, which bounds the time of every pattern. */
const longestLine = 1000;

/**
 * Passes each line of a text with its number, without white space at its end, to a function, in slices. Returns the number of lines.
 */
async function forEachLine(
  text: string,
  slices: Slices,
  visit: (line: string, number: number) => void,
): Promise<number> {
  await slices.next();
  let count = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    count++;
    visit(text.slice(start, Math.min(end, start + longestLine)).trimEnd(), count);
    start = end + 1;
    if (count % linesPerLook === 0 && slices.over) await slices.next();
  }
  return count;
}
