import { IntColumn } from './int-column.js';

/**
 * Lists of whole numbers, one after the other. They grow at their end and what they hold never changes, so others may read them
 * meanwhile.
 */
export class IntLists {
  readonly #items = new IntColumn();
  /** List `i` goes from `ends[i]` to `ends[i + 1]`. */
  readonly #ends = new IntColumn();
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
    const first = this.#ends.at(number);
    this.#items.setAll(first, list);
    this.#ends.set(number + 1, first + list.length);
    this.#size = number + 1;
    return number;
  }

  lengthOf(list: number): number {
    return this.totalOf(list, list + 1);
  }

  item(list: number, at: number): number {
    return this.#items.at(this.#ends.at(list) + at);
  }

  /** The length of the lists from a number to before another together. */
  totalOf(first: number, end: number): number {
    return this.#ends.at(end) - this.#ends.at(first);
  }

  /** The items of the lists from a number to before another, one list after the other, in a few arrays. */
  itemsOf(first: number, end = first + 1): Int32Array[] {
    return this.#items.between(this.#ends.at(first), this.#ends.at(end));
  }

  /** Copies a list to a position of an array, and returns the position after it. */
  copy(list: number, into: Int32Array, position: number): number {
    const first = this.#ends.at(list);
    const length = this.#ends.at(list + 1) - first;
    for (let at = 0; at < length; at += 1) into[position + at] = this.#items.at(first + at);
    return position + length;
  }
}
