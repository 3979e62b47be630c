import { isBlank } from './lines.js';
import { ordinary, type Piece, type PieceForm, pieceOf } from './piece.js';
import { isProse, sentencesOf } from './sentences.js';
import { blobWeight, longestLine, longestWindow } from './weights.js';
import { isBlob, windowEnd } from './windows.js';

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
  add(start: number, end: number, form: PieceForm): void {
    this.#pieces.push(pieceOf(start, end, form));
  }

  /** Adds text.slice(start, end) as one piece or, if it is long, as sentences or windows. */
  addLong(start: number, end: number, form: PieceForm = ordinary): void {
    if (end - start <= longestLine) this.add(start, end, form);
    else if (!isProse(this.text, start, end)) this.addWindows(start, end, form);
    else
      for (const sentence of sentencesOf(this.text, start, end)) {
        if (sentence.end - sentence.start <= longestLine) this.add(sentence.start, sentence.end, form);
        else this.addWindows(sentence.start, sentence.end, form);
      }
  }

  /** Adds windows that end at the end of a word if possible. With `escaped`, none ends inside an escape such as `\n`. */
  addWindows(start: number, end: number, { weight }: PieceForm, escaped = false): void {
    const { text } = this;
    for (let at = start; at < end; ) {
      while (at < end && isBlank(text.charCodeAt(at))) at++;
      if (at === end) return;
      const cut = end - at <= longestWindow ? end : windowEnd(text, at, at + longestWindow, escaped);
      this.add(at, cut, { kind: 'window', weight: isBlob(text, at, cut) ? blobWeight : weight });
      at = cut;
    }
  }

  /** Removes all pieces after the first `count`. */
  takeBackTo(count: number): void {
    this.#pieces.length = count;
  }
}
