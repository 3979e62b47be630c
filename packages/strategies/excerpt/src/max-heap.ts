import { grown } from './array-growth.js';

/** A priority queue that returns the item with the largest key first. */
export class MaxHeap {
  #items: Int32Array;
  #keys: Float64Array;
  #size = 0;

  /** @param room items for which there is room at first */
  constructor(room: number) {
    this.#items = new Int32Array(room);
    this.#keys = new Float64Array(room);
  }

  /** The largest key, or minus infinity if the queue is empty. */
  get top(): number {
    return this.#size === 0 ? Number.NEGATIVE_INFINITY : (this.#keys[0] as number);
  }

  /** @param item a whole number of at most 31 bits */
  push(item: number, key: number): void {
    if (this.#size === this.#items.length) this.#grow();
    const items = this.#items;
    const keys = this.#keys;
    let at = this.#size;
    this.#size += 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((keys[parent] as number) >= key) break;
      items[at] = items[parent] as number;
      keys[at] = keys[parent] as number;
      at = parent;
    }
    items[at] = item;
    keys[at] = key;
  }

  pop(): number | undefined {
    if (this.#size === 0) return undefined;
    const items = this.#items;
    const keys = this.#keys;
    const first = items[0] as number;
    this.#size -= 1;
    const size = this.#size;
    const item = items[size] as number;
    const key = keys[size] as number;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      const next = child + 1;
      if (next < size && (keys[next] as number) > (keys[child] as number)) child = next;
      if ((keys[child] as number) <= key) break;
      items[at] = items[child] as number;
      keys[at] = keys[child] as number;
      at = child;
    }
    items[at] = item;
    keys[at] = key;
    return first;
  }

  #grow(): void {
    const least = this.#size + 1;
    this.#items = grown(this.#items, least);
    this.#keys = grown(this.#keys, least);
  }
}
