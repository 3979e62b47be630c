/** Characters that XML 1.0 can't hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are the characters to find
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Surrogate}]/gu;

/** After one of these a path would begin a line of its own. */
const lineBreaks = /[\n\r\u2028\u2029]/g;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as the content of an XML element. */
export function escapeXml(text: string): string {
  return text.replace(unwritable, '\ufffd').replace(/[&<>]/g, (character) => entities[character] as string);
}

/** The parts of a result that are shown. */
export interface Rendered {
  readonly path: string;
  readonly content?: string;
  readonly error?: string;
  readonly notice?: string;
}

/** A file as XML; the content is in a CDATA section, so that code stays readable. */
export function fileXml({ path, content, error, notice }: Rendered): string {
  const inner = [
    `<path>${escapeXml(path)}</path>`,
    error === undefined ? '' : `<error>${escapeXml(error)}</error>`,
    notice === undefined ? '' : `<notice>${escapeXml(notice)}</notice>`,
    content === undefined ? '' : `<content>${cdata(content)}</content>`,
  ];
  return `<file>${inner.join('')}</file>`;
}

/** Files as XML, after the notices that concern them all. */
export function filesXml(files: readonly Rendered[], notices: readonly string[] = []): string {
  const shared = notices.map((notice) => `<notice>${escapeXml(notice)}</notice>`);
  return ['<files>', ...shared, ...files.map(fileXml), '</files>'].join('\n');
}

/** Each file under its path as plain text, after the notices that concern them all. */
export function filesText(files: readonly Rendered[], notices: readonly string[] = []): string {
  const texts = files.map(({ path, content, error, notice: own }) =>
    [
      `File: ${path.replace(lineBreaks, ' ')}`,
      error === undefined ? undefined : `Error: ${error}`,
      own === undefined ? undefined : `Notice: ${own}`,
      content,
    ]
      .filter((line) => line !== undefined)
      .join('\n'),
  );
  return [...notices, ...texts].join('\n\n');
}

function cdata(text: string): string {
  const written = text.replace(unwritable, '\ufffd').replaceAll(']]>', ']]]]><![CDATA[>');
  return `<![CDATA[${written}]]>`;
}
