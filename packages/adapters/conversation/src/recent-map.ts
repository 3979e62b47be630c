/** A map that holds the entries used last, up to a number. */
export class RecentMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();

  /** @param most how many entries stay */
  constructor(readonly most: number) {}

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.most) this.#entries.delete(oldest as Key);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
