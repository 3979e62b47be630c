/** The first line of an excerpt. It identifies a text as an excerpt. */
export const intro = '[Excerpt of what was said before, word for word]';
/** The first line of an excerpt of the work that is behind its task. */
export const workIntro = '[Done so far for the task above, in excerpts word for word]';
const intros = [intro, workIntro];

/** The heading of the lines that say what was done. */
export const trailHeading = 'what was done, in order';

/** The heading of the names that files define. */
export const outlineHeading = 'files that were read or written, and what they define';

const headingMark = '## ';

/** A heading and the text under it. */
export interface ExcerptSection {
  /** Who spoke, or what was called. */
  readonly heading: string;
  readonly text: string;
  /** How much of the source is shown; absent if all of it is. */
  readonly part?: ShownPart | undefined;
}

/** The part of a source that an excerpt shows, and where the rest is. */
interface ShownPart {
  /** Lines that are shown at least in part, and lines of the source, without blank ones; absent if none is shown. */
  readonly lines?: { readonly shown: number; readonly of: number };
  /** The number of the source's message in the transcript, from 1; 0 if it is not known. */
  readonly message: number;
}

export function isExcerpt(text: string): boolean {
  return intros.some((first) => text === first || text.startsWith(`${first}\n${headingMark}`));
}

/** An excerpt without its first line. */
export function withoutIntro(excerpt: string): string {
  const end = excerpt.indexOf('\n');
  return end < 0 ? '' : excerpt.slice(end + 1);
}

/** Writes an excerpt with these sections. */
export function excerptText(sections: readonly ExcerptSection[], first = intro): string {
  return [first, ...sections.map(sectionText)].join('\n');
}

/** Writes a section: `## read src/app.ts (41 of 380 lines) #m12`, or `(part)` of a single line, and its text. */
export function sectionText({ heading, text, part }: ExcerptSection): string {
  const line = `${headingMark}${heading}${part === undefined ? '' : partMark(part)}`;
  return text === '' ? line : `${line}\n${indented(text)}`;
}

function partMark({ lines, message }: ShownPart): string {
  const handle = message === 0 ? '' : ` #m${message}`;
  if (lines === undefined) return handle;
  return ` (${lines.of === 1 ? 'part' : `${lines.shown} of ${lines.of} lines`})${handle}`;
}

const writtenPart = /(?: \((?:part|(\d{1,9}) of (\d{1,9}) lines)\))? #m(\d{1,9})$/;

/** Reads the sections of an excerpt. */
export function excerptSections(text: string): ExcerptSection[] {
  return `\n${withoutIntro(text)}`
    .split(`\n${headingMark}`)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      const line = end < 0 ? section : section.slice(0, end);
      const body = end < 0 ? '' : section.slice(end + 1).replace(/^ {4}(?= *#{1,6}(?: |$))/gm, '');
      const part = writtenPart.exec(line);
      if (part === null) return { heading: line, text: body };
      const [mark, shown = '1', of = '1', message] = part;
      const lines = mark.startsWith(' #') ? undefined : { shown: Number(shown), of: Number(of) };
      return {
        heading: line.slice(0, -mark.length),
        text: body,
        part: { ...(lines && { lines }), message: Number(message) },
      };
    });
}

/** Indents lines that look like headings by four spaces, so that Markdown does not take them for one. */
function indented(text: string): string {
  return text.includes('#') ? text.replace(/^(?= *#{1,6}(?: |$))/gm, '    ') : text;
}
