import { grown } from './array-growth.js';

/** Lists, and numbers in all of them, for which there is room at first. */
const roomAtFirst = 16;

/**
 * Lists of whole numbers, one after the other in one array. They grow at their end and what they hold never changes, so others may read
 * them meanwhile.
 */
export class IntLists {
  #items = new Int32Array(roomAtFirst);
  /** List `i` goes from `ends[i]` to `ends[i + 1]`. */
  #ends = new Int32Array(roomAtFirst);
  #size = 0;

  /** These lists. */
  static of(...lists: readonly ArrayLike<number>[]): IntLists {
    const made = new IntLists();
    for (const list of lists) made.add(list);
    return made;
  }

  /** Adds a list at the end and returns its number. */
  add(list: ArrayLike<number>): number {
    const number = this.#size;
    const first = this.#ends[number] as number;
    const end = first + list.length;
    if (end > this.#items.length) this.#items = grown(this.#items, end);
    if (number + 1 === this.#ends.length) this.#ends = grown(this.#ends, number + 2);
    for (let at = first; at < end; at += 1) this.#items[at] = list[at - first] as number;
    this.#ends[number + 1] = end;
    this.#size = number + 1;
    return number;
  }

  lengthOf(list: number): number {
    return this.totalOf(list, list + 1);
  }

  item(list: number, at: number): number {
    return this.#items[(this.#ends[list] as number) + at] as number;
  }

  /** The length of the lists from a number to before another together. */
  totalOf(first: number, end: number): number {
    return (this.#ends[end] as number) - (this.#ends[first] as number);
  }

  /** The items of the lists from a number to before another, one list after the other. */
  itemsOf(first: number, end = first + 1): Int32Array {
    return this.#items.subarray(this.#ends[first], this.#ends[end]);
  }

  /** Copies a list to a position of an array, and returns the position after it. */
  copy(list: number, into: Int32Array, position: number): number {
    const first = this.#ends[list] as number;
    const end = position + (this.#ends[list + 1] as number) - first;
    for (let at = position; at < end; at += 1) into[at] = this.#items[first + at - position] as number;
    return end;
  }
}
