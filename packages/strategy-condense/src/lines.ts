import { type Line, lineOf } from './line.js';
import { ends, mostOfOne } from './selection.js';

/**
 * The first and last lines of one text, at most 60. Keeps in memory only the lines that were requested last. The longer a conversation
 * becomes, the fewer lines are requested of each message.
 */
export class Lines {
  readonly #read: () => readonly string[];
  #held: readonly { readonly text: string; line?: Line }[] = [];
  #most = 0;
  #count: number | undefined;

  /** @param read returns the lines of the text; called again if more lines are requested than before */
  constructor(read: () => readonly string[]) {
    this.#read = read;
  }

  /** The number of lines, up to 60. */
  get count(): number {
    if (this.#count === undefined) this.#hold(mostOfOne);
    return this.#count as number;
  }

  /** At most `most` of the lines, taken from the start and the end. */
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
