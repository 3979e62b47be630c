import { grown } from '../array-growth.js';
import { HashNumbers } from '../hash-numbers.js';
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
  readonly #numbers = new HashNumbers();

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
    return this.#find(key, hashOf(key));
  }

  /** The number of the term with this key, which is added if it is new. Makes the term at least as specific as the kind. */
  idOf(key: string, kind: TermKind): number {
    const hash = hashOf(key);
    const id = this.#find(key, hash);
    if (id < 0) return this.#add(key, hash, rankOf[kind]);
    this.strengthen(id, kind);
    return id;
  }

  #find(key: string, hash: number): number {
    const numbers = this.#numbers;
    let number = numbers.first(hash);
    while (number >= 0 && !this.#keys.isAt(number, key, 0, key.length)) number = numbers.next(hash);
    return number;
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

  #add(key: string, hash: number, rank: number): number {
    const id = this.#numbers.add(hash);
    this.#keys.add(key);
    if (id === this.#ranks.length) {
      this.#ranks = grown(this.#ranks, id);
      this.#capitals = grown(this.#capitals, id);
      this.#seenIn = grown(this.#seenIn, id);
    }
    this.#ranks[id] = rank;
    return id;
  }
}

function hashOf(key: string): number {
  let hash = key.length;
  for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  return hash;
}
