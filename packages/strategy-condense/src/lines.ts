import { type Line, lineOf } from './line.js';
import { ends, mostOfOne } from './selection.js';

/**
 * The lines of one text: its first and its last ones, at most 60. Only those that were asked for last are kept, as a long conversation
 * leaves each of its messages fewer.
 */
export class Lines {
  readonly #read: () => readonly string[];
  #held: readonly { readonly text: string; line?: Line }[] = [];
  #most = 0;
  #count: number | undefined;

  /** @param read the lines of the text, read again if more of them are asked for than before */
  constructor(read: () => readonly string[]) {
    this.#read = read;
  }

  /** How many there are, up to 60. */
  get count(): number {
    if (this.#count === undefined) this.#hold(mostOfOne);
    return this.#count as number;
  }

  /** At most so many of them. */
  take(most: number): readonly Line[] {
    if (this.#count === undefined || (this.#most < most && this.#most < this.#count)) this.#hold(most);
    this.#held = ends(this.#held, most);
    this.#most = most;
    return this.#held.map((held) => {
      held.line ??= lineOf(held.text);
      return held.line;
    });
  }

  #hold(most: number): void {
    const all = this.#read();
    this.#count = Math.min(all.length, mostOfOne);
    this.#held = ends(all, most).map((text) => ({ text }));
    this.#most = most;
  }
}
