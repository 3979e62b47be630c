import { grown } from '../array-growth.js';
import { CharacterStore } from './character-store.js';
import { kinds, type Term, type TermKind } from './term.js';

const rankOf = Object.fromEntries(kinds.map((kind, rank) => [kind, rank])) as Record<TermKind, number>;
const wordRank = rankOf.word;

/** Terms by number and by key. The columns are typed arrays, so that a million terms need little memory. */
export class TermTable {
  readonly #keys = new CharacterStore();
  #ranks = new Uint8Array(256);
  /** Uses as a name minus uses as an ordinary word. */
  #capitals = new Int32Array(256);
  /** The number of the text in which a term was last seen. */
  #seenIn = new Int32Array(256);
  #hashes = new Int32Array(256);
  /** A hash table of term numbers plus 1; 0 is a free slot. */
  #slots = new Int32Array(512);

  get size(): number {
    return this.#keys.size;
  }

  term(id: number): Term {
    return { id, key: this.#keys.textOf(id), kind: this.kind(id) };
  }

  kind(id: number): TermKind {
    const rank = this.#ranks[id] as number;
    return rank === wordRank && (this.#capitals[id] as number) > 0 ? 'name' : (kinds[rank] as TermKind);
  }

  /** The length of a term's key, in UTF-16 units. */
  keyLength(id: number): number {
    return this.#keys.lengthOf(id);
  }

  /** The number of the term with this key; -1 if there is none. */
  find(key: string): number {
    const hash = hashOf(key);
    return (this.#slots[this.#slotOf(key, hash)] as number) - 1;
  }

  /** The number of the term with this key, which is added if it is new. Makes the term at least as specific as the kind. */
  idOf(key: string, kind: TermKind): number {
    const hash = hashOf(key);
    const slot = this.#slotOf(key, hash);
    const id = (this.#slots[slot] as number) - 1;
    if (id < 0) return this.#add(key, hash, rankOf[kind], slot);
    this.strengthen(id, kind);
    return id;
  }

  /** The slot of the term with this key, or the free slot where it would be. */
  #slotOf(key: string, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let number = this.#slots[slot] as number; number !== 0; number = this.#slots[slot] as number) {
      if (this.#hashes[number - 1] === hash && this.#keys.isAt(number - 1, key, 0, key.length)) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Makes a term at least as specific as the kind. */
  strengthen(id: number, kind: TermKind): void {
    if (rankOf[kind] < (this.#ranks[id] as number)) this.#ranks[id] = rankOf[kind];
  }

  /** Counts uses as a name. A negative count means uses as an ordinary word. */
  addCapitals(id: number, count: number): void {
    this.#capitals[id] = (this.#capitals[id] as number) + count;
  }

  /** Whether the term is new in the text with this number, and marks it as seen there. Numbers start at 1. */
  isNewIn(id: number, textNumber: number): boolean {
    if (this.#seenIn[id] === textNumber) return false;
    this.#seenIn[id] = textNumber;
    return true;
  }

  #add(key: string, hash: number, rank: number, slot: number): number {
    const id = this.#keys.add(key);
    if (id === this.#ranks.length) {
      this.#ranks = grown(this.#ranks, id);
      this.#capitals = grown(this.#capitals, id);
      this.#seenIn = grown(this.#seenIn, id);
      this.#hashes = grown(this.#hashes, id);
    }
    this.#ranks[id] = rank;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (this.#keys.size * 2 > this.#slots.length) this.#addSlots();
    return id;
  }

  #addSlots(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#keys.size; id++) {
      let slot = (this.#hashes[id] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(key: string): number {
  let hash = key.length;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
