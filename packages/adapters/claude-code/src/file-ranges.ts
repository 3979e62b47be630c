/** Bytes that Claude Code reads at once. */
const mostBytes = 4_000_000;

/**
 * Reads a file in ranges.
 * @param read of the bytes from an offset on; a character that a range cuts through comes as U+FFFD
 */
export async function readInRanges(
  size: number,
  read: (range: { offset: number; length: number }) => Promise<string>,
): Promise<string> {
  const texts: string[] = [];
  for (let offset = 0; offset < size; ) {
    let length = Math.min(mostBytes, size - offset);
    let text = await read({ offset, length });
    // A character has at most four bytes.
    for (let less = 1; less < 4 && text.endsWith('\ufffd') && offset + length < size; less += 1) {
      length -= 1;
      text = await read({ offset, length });
    }
    texts.push(text);
    offset += length;
  }
  return texts.join('');
}
