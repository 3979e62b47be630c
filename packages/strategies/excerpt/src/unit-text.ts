import type { ReadSection } from './conversation-index.js';
import type { Block } from './sections.js';
import type { Unit } from './units.js';

/** Stands where something is skipped between two passages. */
const gapMark = '…';

/**
 * Writes units of a section. Units that follow each other stand as they stood; a gap has a mark.
 * @param chosen the positions of the units in the section's list, in order; -1, the heading alone, has no text
 */
export function linesOf(
  { section, units }: Pick<ReadSection, 'section' | 'units'>,
  chosen: Iterable<number>,
): string {
  let written = '';
  let block = -1;
  let before = -1;
  let done = 0;
  for (const position of chosen) {
    if (position < 0) continue;
    const unit = units[position] as Unit;
    const { start, end } = unit;
    const isSame = unit.block === block;
    if (isSame && end <= done) continue;
    const { text } = section.blocks[unit.block] as Block;
    if (isSame && (position === before + 1 || start <= done)) written += text.slice(done, end);
    else written += (isSame ? `\n${gapMark}\n` : block < 0 ? '' : '\n') + text.slice(start, end);
    block = unit.block;
    before = position;
    done = end;
  }
  return written;
}

/** The number of lines of a text that are not blank. */
export function linesIn(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

/** The same without the lines that only say that something is skipped. */
export function linesShown(text: string): number {
  return text.split('\n').filter((line) => line !== gapMark && line.trim() !== '').length;
}
