/** Keeps the items with the largest scores of all that are offered. */
export class Best<Item> {
  /** An item with no larger score is not among the best. */
  floor = 0;
  #items: (readonly [Item, number])[] = [];

  constructor(readonly most: number) {}

  offer(item: Item, score: number): void {
    if (score <= this.floor) return;
    this.#items.push([item, score]);
    if (this.#items.length >= this.most * 4) this.#cut();
  }

  /** The best first. */
  all(): readonly (readonly [Item, number])[] {
    this.#cut();
    return this.#items;
  }

  #cut(): void {
    this.#items.sort(([, a], [, b]) => b - a);
    if (this.#items.length < this.most) return;
    this.#items.length = this.most;
    this.floor = this.#items.at(-1)?.[1] ?? 0;
  }
}
