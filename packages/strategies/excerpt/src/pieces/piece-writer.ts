import { isBlank } from './lines.js';
import type { Piece } from './piece.js';
import { isProse, sentencesOf } from './sentences.js';
import { longestLine, longestWindow } from './weights.js';
import { windowEnd } from './windows.js';

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
    if (end - start <= longestLine) this.add(start, end, 'line');
    else if (!isProse(this.text, start, end)) this.addWindows(start, end);
    else
      for (const sentence of sentencesOf(this.text, start, end)) {
        if (sentence.end - sentence.start <= longestLine) this.add(sentence.start, sentence.end, 'line');
        else this.addWindows(sentence.start, sentence.end);
      }
  }

  /** Adds windows that end at the end of a word if possible. With `escaped`, none ends inside an escape such as `\n`. */
  addWindows(start: number, end: number, { escaped = false } = {}): void {
    const { text } = this;
    for (let at = start; at < end; ) {
      while (at < end && isBlank(text.charCodeAt(at))) at++;
      if (at === end) return;
      const cut = end - at <= longestWindow ? end : windowEnd(text, at, at + longestWindow, escaped);
      this.add(at, cut, 'window');
      at = cut;
    }
  }

  /** Removes all pieces after the first `count`. */
  takeBackTo(count: number): void {
    this.#pieces.length = count;
  }
}
