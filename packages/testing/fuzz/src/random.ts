/** Random numbers that depend only on a seed of 32 bits, so that a printed seed gives the same history again. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to 2³² - 1, uniformly distributed (splitmix32). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }

  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number {
    return least + Math.floor((this.next() / 2 ** 32) * (most - least + 1));
  }

  /** True with this probability, 0–1. */
  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(0, values.length - 1)] as T;
  }

  /** One of the keys, with a probability in proportion to its weight. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    let rest = (this.next() / 2 ** 32) * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    return (entries.at(-1) as [Key, number])[0];
  }

  /** The value, or undefined with the complementary probability. */
  maybe<T>(probability: number, make: () => T): T | undefined {
    return this.chance(probability) ? make() : undefined;
  }

  list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(index));
  }

  some<T>(values: readonly T[], probability: number): T[] {
    return values.filter(() => this.chance(probability));
  }
}
