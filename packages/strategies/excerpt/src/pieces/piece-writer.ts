import * as char from '../characters.js';
import { sizes } from '../weights.js';

/** A part of a text that can be kept by itself. */
export interface Piece {
  readonly kind: 'line' | 'window' | 'json';
  /** Its start in the text, in UTF-16 units. text.slice(start, end) is kept verbatim. */
  readonly start: number;
  readonly end: number;
}

/** About a millisecond of dividing a text, in UTF-16 units. */
export const stepCharacters = 16_384;

/** Collects the pieces of a text, in order. */
export class PieceWriter {
  readonly #pieces: Piece[] = [];

  constructor(readonly text: string) {}

  get pieces(): readonly Piece[] {
    return this.#pieces;
  }

  get count(): number {
    return this.#pieces.length;
  }

  /** Adds text.slice(start, end) as one piece. */
  add(start: number, end: number, kind: Piece['kind']): void {
    this.#pieces.push({ start, end, kind });
  }

  /** Adds text.slice(start, end) as one piece or, if it is long, as sentences or windows. */
  addLong(start: number, end: number): void {
    const spans =
      end - start > sizes.paragraph &&
      isProse(this.text.slice(start, Math.min(end, start + 5 * sizes.paragraph)));
    for (const [from, to] of spans ? sentencesOf(this.text, start, end) : [[start, end] as const])
      if (to - from <= sizes.paragraph) this.add(from, to, 'line');
      else this.addWindows(from, to);
  }

  /** Adds windows that end at the end of a word if possible. With `escaped`, none ends inside an escape such as `\n`. */
  addWindows(start: number, end: number, { escaped = false } = {}): void {
    const { text } = this;
    for (let at = afterBlanks(text, start, end); at < end; ) {
      const cut = end - at <= sizes.line ? end : windowEnd(text, at, at + sizes.line, escaped);
      this.add(at, cut, 'window');
      at = afterBlanks(text, cut, end);
    }
  }

  /** Removes all pieces after the first `count`. */
  takeBackTo(count: number): void {
    this.#pieces.length = count;
  }
}

function afterBlanks(text: string, start: number, end: number): number {
  const blanks = text.slice(start, end).search(/\S/);
  return blanks < 0 ? end : start + blanks;
}

/** Whether the beginning of a long line is prose: words, spaces and few of the signs that are common in code. */
function isProse(sample: string): boolean {
  const times = (signs: RegExp) => sample.match(signs)?.length ?? 0;
  const { length } = sample;
  if (times(/[\u2e81-\ud7ff]/g) * 2 > length) return true;
  return times(/ /g) * 12 > length && times(/[;<=>[\\\]^_`{|}~]/g) * 20 < length;
}

/** A mark that ends a sentence. One of a Western script does so only before a space. */
const sentenceEnd = /[。！？]|[.!?](?= |$)/g;

/** The sentences of text.slice(start, end), in order. A short sentence is joined to the next one. */
function sentencesOf(text: string, start: number, end: number): (readonly [start: number, end: number])[] {
  const sentences: [number, number][] = [];
  let from = start;
  for (const { index } of text.slice(start, end).matchAll(sentenceEnd)) {
    const after = start + index + 1;
    if (after - from < sizes.phrase && after < end) continue;
    sentences.push([from, after]);
    from = afterBlanks(text, after, end);
  }
  if (from < end) sentences.push([from, end]);
  return sentences;
}

/** The best end, up to `end`, of a window from `start`: after a line in its second half, otherwise after a word in its second half. */
function windowEnd(text: string, start: number, end: number, escaped: boolean): number {
  const half = start + ((end - start) >> 1);
  const second = text.slice(half, end);
  const line = half + second.lastIndexOf('\\n');
  if (escaped && line >= half && !isEscapedAt(text, line, start)) return line + 2;
  const word = Math.max(...[' ', ';', ',', '}', '\t'].map((sign) => second.lastIndexOf(sign)));
  if (word >= 0) return half + word + 1;
  // An escape begins at most five units before; a search of the whole text would take long where it has none.
  const slash = end - 5 + text.slice(end - 5, end).lastIndexOf('\\');
  if (escaped && slash >= end - 5 && slash > start && !isEscapedAt(text, slash, start)) {
    const length = text.charAt(slash + 1) === 'u' ? 6 : 2;
    if (slash + length > end) return slash;
  }
  // Not within a surrogate pair.
  return char.isLowSurrogate(text.charCodeAt(end)) ? end - 1 : end;
}

function isEscapedAt(text: string, at: number, start: number): boolean {
  let before = at;
  while (before > start && text.charCodeAt(before - 1) === char.backslash) before--;
  return (at - before) % 2 === 1;
}
