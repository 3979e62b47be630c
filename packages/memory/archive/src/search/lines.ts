import type { Ref } from '../ref.js';
import type { Passage } from './passage.js';

/** What of the passages of a message stands under a handle, in order. */
export function underRef(
  passages: readonly Passage[],
  { lines }: Ref,
  tokensOf: (text: string) => number,
): Passage[] {
  if (lines === undefined) return [...passages];
  const { first, last } = lines;
  return passages.flatMap((passage) => {
    if (passage.lastLine < first || passage.firstLine > last) return [];
    if (passage.firstLine >= first && passage.lastLine <= last) return [passage];
    const firstLine = Math.max(first, passage.firstLine);
    const lastLine = Math.min(last, passage.lastLine);
    const text = linesIn(passage, firstLine, lastLine);
    return [{ ...passage, firstLine, lastLine, text, tokens: tokensOf(text) }];
  });
}

function linesIn({ text, firstLine: start }: Passage, first: number, last: number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(first - start, last - start + 1).join('');
}
