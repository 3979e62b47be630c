import type { Slices } from './slices.js';

/** Lines; looking at the clock after each would take longer than the line. */
const linesPerLook = 256;

/** What follows of longer lines isn't looked at, which keeps every pattern's time bounded. */
const longestLine = 1000;

/**
 * Hands over the lines of a text in slices, with the number of each, without what is blank at their ends;
 * returns how many there are.
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
