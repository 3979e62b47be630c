import * as char from '../characters.js';
import { longestName } from './limits.js';

/** Consecutive capitalised words, separated by single spaces. */
export class NameRun {
  #start = 0;
  #end = -1;
  #words = 0;

  /** Whether it has enough words for a name: more than one. */
  get isName(): boolean {
    return this.#words > 1;
  }

  clear(): void {
    this.#end = -1;
    this.#words = 0;
  }

  /** Adds the word text.slice(start, end) if it continues the run. Returns whether it does. */
  goOn(text: string, start: number, end: number): boolean {
    const follows =
      this.#words > 0 &&
      this.#words < longestName &&
      this.#end === start - 1 &&
      text.charCodeAt(start - 1) === char.space;
    if (!follows) return false;
    this.#words++;
    this.#end = end;
    return true;
  }

  begin(start: number, end: number): void {
    this.#start = start;
    this.#end = end;
    this.#words = 1;
  }

  textIn(text: string): string {
    return text.slice(this.#start, this.#end);
  }
}
