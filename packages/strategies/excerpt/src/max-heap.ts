/** A priority queue of numbers that returns the one with the largest key first. */
export class MaxHeap {
  readonly #items: number[] = [];
  readonly #keys: number[] = [];

  /** The largest key, or minus infinity if the queue is empty. */
  get top(): number {
    return this.#keys[0] ?? Number.NEGATIVE_INFINITY;
  }

  push(item: number, key: number): void {
    let at = this.#items.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#keys[parent] as number) >= key) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#items[at] = item;
    this.#keys[at] = key;
  }

  pop(): number | undefined {
    const first = this.#items[0];
    const [item, key] = [this.#items.pop(), this.#keys.pop()];
    const size = this.#items.length;
    if (item === undefined || key === undefined || size === 0) return first;
    let at = 0;
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (this.#keys[child + 1] as number) > (this.#keys[child] as number)) child += 1;
      if ((this.#keys[child] as number) <= key) break;
      this.#move(child, at);
      at = child;
    }
    this.#items[at] = item;
    this.#keys[at] = key;
    return first;
  }

  #move(from: number, to: number): void {
    this.#items[to] = this.#items[from] as number;
    this.#keys[to] = this.#keys[from] as number;
  }
}
