/** A priority queue that returns the item with the largest key first. */
export class MaxHeap {
  readonly #items: number[] = [];
  readonly #keys: number[] = [];

  /** The largest key, or minus infinity if the queue is empty. */
  get top(): number {
    return this.#keys[0] ?? Number.NEGATIVE_INFINITY;
  }

  push(item: number, key: number): void {
    let at = this.#items.length;
    this.#items.push(item);
    this.#keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#keys[parent] as number) >= key) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, item, key);
  }

  pop(): number | undefined {
    const [first] = this.#items;
    const item = this.#items.pop();
    const key = this.#keys.pop();
    if (item === undefined || key === undefined || this.#items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#items.length) break;
      const next = child + 1;
      if (next < this.#items.length && (this.#keys[next] as number) > (this.#keys[child] as number))
        child = next;
      if ((this.#keys[child] as number) <= key) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, item, key);
    return first;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#items[from] as number, this.#keys[from] as number);
  }

  #put(at: number, item: number, key: number): void {
    this.#items[at] = item;
    this.#keys[at] = key;
  }
}
