import { grown } from './array-growth.js';

/** Numbers for which there is room at first. */
const roomAtFirst = 256;

/**
 * Numbers from 0 on by the hashes of what they stand for, in a hash table with open addressing. Whoever looks for something compares it
 * with what each number with its hash stands for.
 */
export class HashNumbers {
  #size = 0;
  #hashes = new Int32Array(roomAtFirst);
  /** Numbers plus 1; 0 is a free slot. */
  #slots = new Int32Array(2 * roomAtFirst);
  /** The slot of the number that was found last. */
  #slot = 0;

  get size(): number {
    return this.#size;
  }

  /** The first number with this hash; -1 if there is none. */
  first(hash: number): number {
    return this.#from(placeOf(hash), hash);
  }

  /** The number with this hash that comes after the one found last; -1 if there is none. */
  next(hash: number): number {
    return this.#from(this.#slot + 1, hash);
  }

  /** Adds the next number, with this hash, and returns it. */
  add(hash: number): number {
    const number = this.#size;
    if (number === this.#hashes.length) this.#hashes = grown(this.#hashes, number);
    this.#hashes[number] = hash;
    this.#size = number + 1;
    if (this.#size * 2 <= this.#slots.length) this.#addSlot(number);
    else {
      this.#slots = new Int32Array(this.#slots.length * 2);
      for (let one = 0; one < this.#size; one += 1) this.#addSlot(one);
    }
    return number;
  }

  #from(start: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = start & mask;
    for (let number = slots[slot] as number; number !== 0; number = slots[slot] as number) {
      if (this.#hashes[number - 1] === hash) {
        this.#slot = slot;
        return number - 1;
      }
      slot = (slot + 1) & mask;
    }
    return -1;
  }

  #addSlot(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = placeOf(this.#hashes[number] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }
}

/** Spreads out hashes that differ in only a few bits. */
function placeOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}
