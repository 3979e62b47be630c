/** `   12→`, `12\t`, `12 | `, `12: `, `12|`, `12->`, `L12: `, and a mere `12` for an empty line: what tools put before lines. */
const lineNumber = /^[ \t]*L?\d{1,7}(?:→|->|\t| ?\| ?|: ?|\s*$)/;
const wrapper = /^[ \t]*<\/?(?:file|path|content|file_content|files)\b[^<>]{0,400}>[ \t]*$/;
const reminder = '<system-reminder>';
/** Lines that are looked at to see whether they are numbered. */
const sample = 40;

/** The source text in what a tool returned for one file: without line numbers, wrapping elements and notes after it. */
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
