import { kinds, type Term, type TermKind } from './term.js';
import { meaningOf, type TokenMeaning } from './token-meaning.js';
import { tokenPattern } from './token-pattern.js';

/** A token longer than this, in UTF-16 units, is a blob, which has no terms. A limit. */
const longestToken = 256;
/** A quote longer than this, in UTF-16 units, is not a term; its words are. */
const longestQuote = 60;

/** What a token means, with the ids of its terms. */
interface Meaning extends Omit<TokenMeaning, 'terms'> {
  readonly ids: readonly number[];
}

const nothing: Meaning = { ids: [] };
const rankOf = Object.fromEntries(kinds.map((kind, rank) => [kind, rank])) as Record<TermKind, number>;

/**
 * Finds terms in texts and numbers them; a term has the same number in all texts of an index. The meaning of a token is determined once
 * and remembered, so reading many texts with one index is faster.
 */
export class TermIndex {
  readonly #keys: string[] = [];
  readonly #kinds: TermKind[] = [];
  readonly #ids = new Map<string, number>();
  readonly #meanings = new Map<string, Meaning>();
  /** For each term, the number of the text in which it was last met. */
  readonly #metIn: number[] = [];
  #textNumber = 0;

  /** The number of terms. */
  get size(): number {
    return this.#keys.length;
  }

  term(id: number): Term {
    return { id, key: this.#keys[id] as string, kind: this.kind(id) };
  }

  kind(id: number): TermKind {
    return this.#kinds[id] as TermKind;
  }

  /** The number of the term with this key, in lower case; -1 if there is none. */
  find(key: string): number {
    return this.#ids.get(key) ?? -1;
  }

  /** The ids of the terms in text.slice(start, end), each once, in order of first use. */
  idsOf(text: string, start = 0, end = text.length): number[] {
    return this.#idsOf(text.slice(start, end), true);
  }

  /** Finds only the terms that an earlier text contained, and changes nothing. */
  known(): Pick<TermIndex, 'idsOf'> {
    return { idsOf: (text, start = 0, end = text.length) => this.#idsOf(text.slice(start, end), false) };
  }

  #idsOf(text: string, learns: boolean): number[] {
    this.#textNumber += 1;
    const found: number[] = [];
    this.#read(text, learns, (id) => {
      if (this.#metIn[id] === this.#textNumber) return;
      this.#metIn[id] = this.#textNumber;
      found.push(id);
    });
    // A copy, because a list that grew takes more memory than it needs.
    return [...found];
  }

  /** Reads a text token by token, and meets the terms of each. */
  #read(text: string, learns: boolean, meet: (id: number) => void): void {
    let isSentenceStart = true;
    for (const token of text.match(tokenPattern) ?? []) {
      if (stops.has(token)) {
        isSentenceStart ||= token !== ',';
      } else if (quotes.includes(token.charAt(0))) {
        const words = token.slice(1, -1);
        if (words.length <= longestQuote && words.includes(' ')) {
          const key = words.toLowerCase();
          const id = learns ? this.#idOf(key, 'quoted') : this.find(key);
          if (id >= 0) meet(id);
        }
        this.#read(words, learns, meet);
        isSentenceStart = false;
      } else {
        const { ids, isName } = this.#meaningOf(token, learns);
        for (const id of ids) meet(id);
        if (isName === true && !isSentenceStart && learns) this.#strengthen(ids[0] as number, 'name');
        isSentenceStart = false;
      }
    }
  }

  #meaningOf(token: string, learns: boolean): Meaning {
    const known = this.#meanings.get(token);
    if (known !== undefined || !learns || token.length > longestToken) return known ?? nothing;
    const { terms, isName } = meaningOf(token);
    const ids = terms.map(([key, kind]) => this.#idOf(key, kind));
    const meaning = ids.length === 0 ? nothing : { ids, isName };
    this.#meanings.set(token, meaning);
    return meaning;
  }

  /** The number of the term with this key, which is added if it is new. Makes the term at least as specific as the kind. */
  #idOf(key: string, kind: TermKind): number {
    const known = this.#ids.get(key);
    if (known !== undefined) {
      this.#strengthen(known, kind);
      return known;
    }
    const id = this.#keys.push(key) - 1;
    this.#kinds.push(kind);
    this.#ids.set(key, id);
    return id;
  }

  #strengthen(id: number, kind: TermKind): void {
    if (rankOf[kind] < rankOf[this.kind(id)]) this.#kinds[id] = kind;
  }
}

/** Marks that are not terms, also as escapes in a string literal. A sentence begins after all but the comma. */
const stops = new Set(['.', '!', '?', ';', ':', '。', '！', '？', ',', '\n', '\\n']);
const quotes = '"`“„«';
