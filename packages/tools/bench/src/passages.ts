import type { Message } from '@ctx/core';
import { type Atom, isInWord, occursIn, positionsOf } from './atoms.js';
import { remembered } from './remembered.js';
import { sourcesOf, textOf } from './spoken.js';

/** In characters. Of a longer line, only what is near the atom has to survive. */
const longLine = 300;
/** In characters, on either side of the atom. */
const nearby = 150;

/** Lines around an atom, without indentation and without blank lines between them. */
export interface Passage {
  readonly text: string;
  /** The text begins or ends within a long line, so that more of that line may be next to it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** The passages of a message that contain the atom, each once: its line, the line before it and the line after it in the same text. */
export function passagesOf(atom: Atom, message: Message): Passage[] {
  const passages = new Map<string, Passage>();
  for (const source of sourcesOf(message)) {
    for (const at of positionsOf(atom, source)) {
      const passage = passageAt(source, at, atom.length);
      passages.set(passage.text, passage);
    }
  }
  return [...passages.values()];
}

function passageAt(source: string, at: number, length: number): Passage {
  const start = source.lastIndexOf('\n', at - 1) + 1;
  const end = endOfLine(source, at + length);
  const line = lineAround(source.slice(start, end), at - start, length);
  const above = line.isCutBefore ? undefined : lineBefore(source, start);
  const below = line.isCutAfter ? undefined : lineAfter(source, end);
  const [isLongAbove, isLongBelow] = [above, below].map((one) => (one?.length ?? 0) > longLine);
  const texts = [
    isLongAbove ? above?.slice(-nearby).trimEnd() : above,
    line.text,
    isLongBelow ? below?.slice(0, nearby).trimStart() : below,
  ];
  return {
    text: texts.filter((text) => text !== undefined).join('\n'),
    isCutBefore: line.isCutBefore || isLongAbove === true,
    isCutAfter: line.isCutAfter || isLongBelow === true,
  };
}

function lineAround(line: string, at: number, length: number): Passage {
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

/** Says which passages a reader of the messages finds. Indentation and blank lines may differ. */
export function readerOf(messages: readonly Message[]): (passage: Passage) => boolean {
  const text = readable(messages.flatMap(sourcesOf).join('\n'));
  return ({ text: lines, isCutBefore, isCutAfter }) => {
    for (let at = text.indexOf(lines); at >= 0; at = text.indexOf(lines, at + 1)) {
      const beginsThere = isCutBefore || !isInWord(text, at);
      if (beginsThere && (isCutAfter || !isInWord(text, at + lines.length))) return true;
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

/** Whether one of the messages contains the atom. Looks at the newest first, and never searches a message twice. */
export function holds(messages: readonly Message[], atom: Atom): boolean {
  return messages.findLastIndex((message) => holderOf(message)(atom)) >= 0;
}

const holderOf = remembered((message: Message) => {
  const text = textOf(message);
  return remembered((atom: Atom) => occursIn(atom, text), new Map());
}, new WeakMap());

/** Looks in views of one session for the passages that hold an atom. Never searches a message twice for the same. */
export class PassageSearch {
  readonly #originals: ReadonlySet<Message>;
  readonly #readerOf = remembered((message: Message) => readerOf([message]), new WeakMap());
  readonly #passagesOf = remembered(
    (message: Message) => remembered((atom: Atom) => passagesOf(atom, message), new Map()),
    new WeakMap(),
  );

  constructor(readonly messages: readonly Message[]) {
    this.#originals = new Set(messages);
  }

  /** Whether a view holds the atom in one of the messages before a position, whole or as a passage of it. */
  isIn(view: readonly Message[], atom: Atom, before: number): boolean {
    const isOriginal = (message: Message) => this.#originals.has(message);
    if (holds(view.filter(isOriginal), atom)) return true;
    const holding = view.filter((message) => !isOriginal(message) && holderOf(message)(atom));
    if (holding.length === 0) return false;
    const sources = this.messages.slice(0, before).filter((message) => holderOf(message)(atom));
    return sources.some((source) =>
      this.#passagesOf(source)(atom).some((passage) => holding.some((one) => this.#readerOf(one)(passage))),
    );
  }
}
