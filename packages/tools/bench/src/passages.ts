import type { Message } from '@ctx/core';
import { type Atom, isInWord, positionsOf } from './atoms.js';
import { sourcesOf } from './spoken.js';

/** In characters. Of a longer line, only what is near the atom has to survive. */
const longLine = 300;
/** In characters, on either side of the atom. */
const nearby = 150;

/** An occurrence of an atom, with its line and with the lines around it. */
export interface Passage {
  readonly line: Span;
  /** With the line before it and the line after it in the same text, as far as there are any. */
  readonly passage: Span;
}

/** Lines without indentation and without blank lines between them. */
export interface Span {
  readonly text: string;
  /** The text begins or ends within a long line, so that more of that line may be next to it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The passages of a message that contain the atom, each once. */
export function passagesOf(atom: Atom, message: Message): Passage[] {
  const passages = new Map<string, Passage>();
  for (const source of sourcesOf(message)) {
    for (const at of positionsOf(atom, source)) {
      const passage = passageAt(source, at, atom.length);
      passages.set(JSON.stringify([passage.line.text, passage.passage.text]), passage);
    }
  }
  return [...passages.values()];
}

function passageAt(source: string, at: number, length: number): Passage {
  const start = source.lastIndexOf('\n', at - 1) + 1;
  const end = endOfLine(source, at + length);
  const line = spanAround(source.slice(start, end), at - start, length);
  const above = line.isCutBefore ? undefined : lineBefore(source, start);
  const below = line.isCutAfter ? undefined : lineAfter(source, end);
  const [isLongAbove, isLongBelow] = [above, below].map((one) => (one?.length ?? 0) > longLine);
  const texts = [
    isLongAbove ? above?.slice(-nearby).trimEnd() : above,
    line.text,
    isLongBelow ? below?.slice(0, nearby).trimStart() : below,
  ];
  return {
    line,
    passage: {
      text: texts.filter((text) => text !== undefined).join('\n'),
      isCutBefore: line.isCutBefore || isLongAbove === true,
      isCutAfter: line.isCutAfter || isLongBelow === true,
    },
  };
}

function spanAround(line: string, at: number, length: number): Span {
  if (line.trim().length <= longLine) return { text: line.trim(), isCutBefore: false, isCutAfter: false };
  const [start, end] = [Math.max(0, at - nearby), at + length + nearby];
  return {
    text: line.slice(start, end).trim(),
    isCutBefore: line.slice(0, start).trim() !== '',
    isCutAfter: line.slice(end).trim() !== '',
  };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

/** The nearest line before a position that is not blank. */
function lineBefore(source: string, start: number): string | undefined {
  for (let end = start - 1; end > 0; end = source.lastIndexOf('\n', end - 1)) {
    const text = source.slice(source.lastIndexOf('\n', end - 1) + 1, end).trim();
    if (text !== '') return text;
  }
  return undefined;
}

function lineAfter(source: string, end: number): string | undefined {
  for (let start = end + 1; start < source.length; start = endOfLine(source, start) + 1) {
    const text = source.slice(start, endOfLine(source, start)).trim();
    if (text !== '') return text;
  }
  return undefined;
}

/** A whole text. */
export function spanOf(text: string): Span {
  return { text: readable(text), isCutBefore: false, isCutAfter: false };
}

/** Says which spans a reader of the messages finds. Indentation and blank lines may differ. */
export function readerOf(messages: readonly Message[]): (span: Span) => boolean {
  const text = readable(messages.flatMap(sourcesOf).join('\n'));
  return (span) => {
    for (let at = text.indexOf(span.text); at >= 0; at = text.indexOf(span.text, at + 1)) {
      const beginsThere = span.isCutBefore || !isInWord(text, at);
      if (beginsThere && (span.isCutAfter || !isInWord(text, at + span.text.length))) return true;
    }
    return false;
  };
}

function readable(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
