/** Numbers for which there is room at first, and in a page, as a power of two. */
const roomAtFirst = 16;
const pageBits = 14;
const pageLength = 1 << pageBits;

/**
 * Whole numbers in pages. They grow at their end, and only the first page is ever copied: copies of all of them, each time that there are
 * half as many more, would take twice the memory of the numbers.
 */
export class IntColumn {
  readonly #pages: Int32Array[] = [new Int32Array(roomAtFirst)];

  at(position: number): number {
    return (this.#pages[position >>> pageBits] as Int32Array)[position & (pageLength - 1)] as number;
  }

  /** Sets a number that is there, or one after the last. */
  set(position: number, value: number): void {
    const number = position >>> pageBits;
    const offset = position & (pageLength - 1);
    const page = this.#pages[number];
    if (page !== undefined && offset < page.length) page[offset] = value;
    else this.#longer(number, offset)[offset] = value;
  }

  /** Sets as many numbers as a list has, from a position on. */
  setAll(position: number, list: ArrayLike<number>): void {
    const page = this.#pages[position >>> pageBits];
    const offset = position & (pageLength - 1);
    if (page !== undefined && offset + list.length <= page.length)
      for (let at = 0; at < list.length; at += 1) page[offset + at] = list[at] as number;
    else for (let at = 0; at < list.length; at += 1) this.set(position + at, list[at] as number);
  }

  /** The numbers from a position to before another, in a few arrays. */
  between(first: number, end: number): Int32Array[] {
    const found: Int32Array[] = [];
    for (let from = first; from < end; ) {
      const number = from >>> pageBits;
      const pageStart = number << pageBits;
      const to = Math.min(end, pageStart + pageLength);
      found.push((this.#pages[number] as Int32Array).subarray(from - pageStart, to - pageStart));
      from = to;
    }
    return found;
  }

  /** A page with room at this offset. The pages before it are full. */
  #longer(number: number, offset: number): Int32Array {
    const before = this.#pages[number];
    const length = number > 0 ? pageLength : Math.min(pageLength, 2 * (offset + 1));
    const page = new Int32Array(length);
    if (before !== undefined) page.set(before);
    this.#pages[number] = page;
    return page;
  }
}
