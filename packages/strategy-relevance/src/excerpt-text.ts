/** The first line of every excerpt. It identifies a text as an excerpt. */
export const intro = '[Excerpt of what was said before, word for word]';

const headingMark = '## ';

/** A heading and the text under it. */
export interface ExcerptSection {
  readonly heading: string;
  readonly text: string;
}

export function isExcerpt(text: string): boolean {
  return text === intro || text.startsWith(`${intro}\n${headingMark}`);
}

/** An excerpt without its first line. */
export function withoutIntro(excerpt: string): string {
  return excerpt.slice(intro.length + 1);
}

/** Writes an excerpt with these sections. */
export function excerptText(sections: readonly ExcerptSection[]): string {
  const parts = sections.map(({ heading, text }) => {
    const line = `${headingMark}${heading}`;
    return text === '' ? line : `${line}\n${indented(text)}`;
  });
  return [intro, ...parts].join('\n');
}

/** Reads the sections of an excerpt. */
export function excerptSections(text: string): ExcerptSection[] {
  return text
    .slice(intro.length)
    .split(`\n${headingMark}`)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      if (end < 0) return { heading: section, text: '' };
      return { heading: section.slice(0, end), text: section.slice(end + 1).replace(/^ {4}(?= *#)/gm, '') };
    });
}

/** Indents lines that look like headings by four spaces, so that Markdown does not treat them as headings. */
function indented(text: string): string {
  return text.includes('#') ? text.replace(/^(?= *#)/gm, '    ') : text;
}
