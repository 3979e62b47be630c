import type { Slices } from './slices.js';

/** The number of lines between two looks at the clock. Looking after each line would take longer than the line. */
const linesPerLook = 256;

/** In characters. The rest of a longer line is not read, which bounds the time of every pattern. */
const longestLine = 1000;

/**
 * Passes each line of a text with its number, without white space at its end, to a function, in slices. Returns the number of lines.
 */
export async function forEachLine(
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
