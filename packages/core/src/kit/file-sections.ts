/** The position of one file's text in a result that holds several files. */
interface FileSection {
  readonly path: string;
  /** From after the line that names this file to before the line that names the next one. */
  readonly start: number;
  readonly end: number;
}

/** In characters: room for the longest path that Windows allows by default, 260, and the characters around it. */
const longestHeading = 400;

/**
 * Finds the sections of a result that holds several files, each under a line with its path. The paths must appear in
 * the given order, the first within three lines, and the lines must begin alike; otherwise the answer is undefined.
 * Closing tags such as `</file>` are not part of a section.
 */
export function fileSections(text: string, paths: readonly string[]): readonly FileSection[] | undefined {
  const headings: (Heading & { readonly path: string })[] = [];
  let from = 0;
  for (const path of paths) {
    const heading = headingOf(text, path, from, headings[0]?.prefix);
    if (heading === undefined) return undefined;
    headings.push({ path, ...heading });
    from = heading.after;
  }
  const first = headings[0];
  if (first === undefined || text.slice(0, first.at).split('\n', 4).length > 3) return undefined;
  return headings.map(({ path, after }, index) => {
    const next = headings[index + 1]?.at ?? text.length;
    const ending = text.slice(Math.max(after, next - longestHeading), next);
    return { path, start: after, end: Math.max(after, next - ending.length + withoutClosing(ending).length) };
  });
}

function withoutClosing(text: string): string {
  let rest = text.trimEnd();
  for (let at = rest.lastIndexOf('\n'); at >= 0; at = rest.lastIndexOf('\n')) {
    const line = rest.slice(at + 1).trim();
    if (!line.startsWith('</') || line.indexOf('>') !== line.length - 1) break;
    rest = rest.slice(0, at);
  }
  return rest;
}

interface Heading {
  readonly prefix: string;
  readonly at: number;
  readonly after: number;
}

/** `<file path="`, `<path>`, `📄 `, `==> `, `File: `: symbols, and words that name a file. */
const headingStart = /^[^\w]*(?:(?:file|path|name|read)[^\w]*){0,2}$/i;

function headingOf(
  text: string,
  path: string,
  from: number,
  prefix: string | undefined,
): Heading | undefined {
  for (let found = text.indexOf(path, from); found >= 0; found = text.indexOf(path, found + path.length)) {
    const near = text.slice(Math.max(0, found - longestHeading), found);
    const at = found - near.length + near.lastIndexOf('\n') + 1;
    const line = /^[^\n]*(?:\n|$)/.exec(text.slice(found, found + longestHeading))?.[0];
    const isLine = line !== undefined && (at === 0 || text[at - 1] === '\n');
    if (!isLine || /[\w/-]/.test(text[found + path.length] ?? '')) continue;
    const after = found + line.length;
    const start = text.slice(at, found);
    if (prefix === undefined ? headingStart.test(start) : start === prefix)
      return { prefix: start, at, after };
  }
  return undefined;
}
