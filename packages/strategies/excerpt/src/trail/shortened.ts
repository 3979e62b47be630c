/** A text on one line, cut at the end of a word. */
export function shortened(text: string, length: number): string {
  const begin = text.slice(0, length * 4);
  const line = begin.replace(/\s+/g, ' ').trim();
  if (line.length <= length) return line;
  const end = line.lastIndexOf(' ', length);
  return `${line.slice(0, end > 0 ? end : length)} …`;
}
