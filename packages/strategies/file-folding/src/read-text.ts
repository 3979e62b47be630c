/** Line numbers as tools write them: `   12→`, `12\t`, `12 | `, `12: `, `12|`, `12->`, `L12: `, and only `12` for an empty line. */
const lineNumber = /^[ \t]*L?\d{1,7}(?:→|->|\t| ?\| ?|: ?|\s*$)/;
const wrapper = /^[ \t]*<\/?(?:file|path|content|file_content|files)\b[^<>]{0,400}>[ \t]*$/;
const reminder = '<system-reminder>';
/** The number of lines that decide whether a text is numbered. */
const sample = 40;

/** The source text of one file in a tool result, without line numbers, wrapping elements and notes after it. */
export function sourceText(text: string): string {
  const lines = withoutReminder(text).split('\n');
  const numbered = isNumbered(lines);
  return lines
    .filter((line) => !wrapper.test(line.slice(0, 500)))
    .map((line) => (numbered ? line.replace(lineNumber, '') : line))
    .join('\n');
}

function isNumbered(lines: readonly string[]): boolean {
  const looked = lines
    .filter((line) => line.trim() !== '' && !wrapper.test(line.slice(0, 500)))
    .slice(0, sample);
  return looked.length > 0 && looked.filter((line) => lineNumber.test(line)).length >= looked.length * 0.9;
}

function withoutReminder(text: string): string {
  if (!text.trimEnd().endsWith('</system-reminder>')) return text;
  const start = text.lastIndexOf(`\n${reminder}`);
  return start < 0 ? text : text.slice(0, start);
}
