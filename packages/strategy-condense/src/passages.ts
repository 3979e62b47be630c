import { clipped } from './sentences.js';

/** In characters: a longer result is read only at its start and its end, up to this length in all. */
const longestText = 40_000;
const longestPassage = 500;
const mostLines = 8;

/** Divides a text into passages of a few consecutive lines. */
export function passagesIn(text: string): string[] {
  const looked =
    text.length <= longestText
      ? text
      : `${text.slice(0, longestText / 2)}\n\n${text.slice(-longestText / 2)}`;
  const found: string[] = [];
  let block: string[] = [];
  let length = 0;
  const close = () => {
    const passage = block.join('\n  ');
    if (/[\p{L}\p{N}]{2}/u.test(passage)) found.push(passage);
    block = [];
    length = 0;
  };
  for (const line of looked.split('\n')) {
    const short = clipped(line.trimEnd());
    const isFull = block.length === mostLines || length + short.length > longestPassage;
    if (short === '' || isFull) close();
    if (short === '') continue;
    block.push(block.length === 0 ? short.trimStart() : short);
    length += short.length;
  }
  close();
  return found;
}
