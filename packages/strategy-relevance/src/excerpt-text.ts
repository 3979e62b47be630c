/** How an excerpt begins: by this it is known again. */
export const intro = '[Excerpt of what was said before, word for word]';

const headingMark = '## ';

/** Something to stand under a heading. */
export interface ExcerptSection {
  readonly heading: string;
  readonly text: string;
}

export function isExcerpt(text: string): boolean {
  return text === intro || text.startsWith(`${intro}\n${headingMark}`);
}

/** What stands under the first line of an excerpt. */
export function withoutIntro(excerpt: string): string {
  return excerpt.slice(intro.length + 1);
}

/** An excerpt as text. */
export function excerptText(sections: readonly ExcerptSection[]): string {
  const parts = sections.map(({ heading, text }) => {
    const line = `${headingMark}${heading}`;
    return text === '' ? line : `${line}\n${indented(text)}`;
  });
  return [intro, ...parts].join('\n');
}

/** The sections of an excerpt that was written before. */
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

/** A line that begins like a heading is set in, as Markdown does with what is none. */
function indented(text: string): string {
  return text.includes('#') ? text.replace(/^(?= *#)/gm, '    ') : text;
}
