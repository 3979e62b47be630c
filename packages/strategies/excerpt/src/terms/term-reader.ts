import * as char from '../characters.js';
import {
  classOf,
  currency,
  isDigitAt,
  joiner,
  percent,
  quote,
  space,
  spaceless,
  stop,
  wordClass,
} from './character-classes.js';
import { explainToken } from './explain-token.js';
import { longestCopy, longestGap, longestToken } from './limits.js';
import { endOfEscape, endOfQuote, isGap } from './mark-ends.js';
import { NameRun } from './name-run.js';
import type { TermKind } from './term.js';
import type { TermTable } from './term-table.js';
import { endOfRun, endOfToken, startOfJoined } from './token-ends.js';
import { isCapital, isErrorWord, isMixed, isName, isNameOnly, isNumber, isPlainWord } from './token-flags.js';
import { numberedDays, type PairedToken, pairTerm } from './token-pairs.js';
import { TokenTable } from './token-table.js';

/** Reads texts token by token, and collects the terms of single tokens and of tokens combined with their predecessors. */
export class TermReader {
  readonly #tokens = new TokenTable();
  #textNumber = 0;
  #found: number[] = [];
  #count = 0;
  #text = '';
  #end = 0;
  #isSentenceStart = true;
  /** The last token; -1 if there is none or it is a blob. */
  #before = -1;
  #flagsBefore = 0;
  #beforeStart = 0;
  #beforeEnd = 0;
  /** The last currency sign. */
  #symbol = '';
  #symbolEnd = -1;
  /** The end of the last quote. */
  #quoteEnd = -1;
  readonly #name = new NameRun();
  #learns = true;

  constructor(readonly terms: TermTable) {}

  /** The ids of the terms in text.slice(start, end), each once, in order. If it does not learn, only those it knows, without a change. */
  read(text: string, start: number, end: number, learns = true): number[] {
    this.#learns = learns;
    this.#begin(text, end);
    for (let at = start; at < end; ) {
      const code = text.charCodeAt(at);
      const kind = classOf(code);
      if (kind === space) at++;
      else if (kind < wordClass) at = this.#readToken(at, at, at);
      else at = this.#readMark(at, code, kind);
    }
    this.#endName();
    this.#text = '';
    const found = this.#found;
    if (this.#count <= longestCopy) return found.slice(0, this.#count);
    this.#found = [];
    found.length = this.#count;
    return found;
  }

  #begin(text: string, end: number): void {
    this.#textNumber++;
    this.#count = 0;
    this.#text = text;
    this.#end = end;
    this.#isSentenceStart = true;
    this.#before = -1;
    this.#flagsBefore = 0;
    this.#beforeStart = 0;
    this.#beforeEnd = 0;
    this.#symbolEnd = -1;
    this.#quoteEnd = -1;
    this.#name.clear();
  }

  /**
   * Reads the token that begins at `start` and returns its end. Its first letter or digit is at `first`, and it has been scanned up to
   * `from`.
   */
  #readToken(start: number, first: number, from: number): number {
    const text = this.#text;
    const end = this.#end;
    let hash = 0;
    let at = start;
    for (; at < from; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    let kind = wordClass;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      kind = classOf(code);
      if (kind > wordClass) break;
      hash = (Math.imul(hash, 31) + code) | 0;
    }
    if (kind === joiner) {
      const tokenEnd = endOfToken(text, first, at, end);
      for (; at < tokenEnd; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    }
    this.#take(start, at, hash);
    return at;
  }

  #readRun(start: number): number {
    const text = this.#text;
    const end = endOfRun(text, start, this.#end);
    let hash = 0;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    if (this.#flagsBefore & isNumber && start === this.#beforeEnd && '年月'.includes(text.charAt(start)))
      // A date such as 2024年5月3日 or 5月3日 that begins with the last token.
      for (const date of numberedDays(
        text.slice(this.#beforeStart, Math.min(this.#end, this.#beforeStart + 11)),
      ))
        this.#meetKey(date, 'date');
    this.#take(start, end, hash);
    return end;
  }

  /** Reads something that begins with neither a letter nor a digit, and returns its end. */
  #readMark(at: number, code: number, kind: number): number {
    if (kind === joiner) return this.#readJoiner(at, code);
    if (kind === spaceless) return this.#readRun(at);
    if (kind === wordClass) {
      if (code !== char.dollar || !isDigitAt(this.#text, at + 1, this.#end))
        return this.#readToken(at, at, at);
      this.#symbol = '$';
      this.#symbolEnd = at + 1;
    } else if (code === char.backslash || code === char.escapeSign) {
      const next = endOfEscape(this.#text, at, this.#end);
      if (next > at + 1 && this.#text.charCodeAt(at + 1) === char.smallN) this.#isSentenceStart = true;
      return next;
    } else if (kind === stop) this.#isSentenceStart = true;
    else if (kind === quote) this.#readQuote(at);
    else if (kind === currency || kind === percent) this.#readSign(at, kind);
    return at + 1;
  }

  #readJoiner(at: number, code: number): number {
    const first = startOfJoined(this.#text, at, this.#end);
    if (first > 0) return this.#readToken(at, first, first);
    // A dot after an abbreviation (Mr. J.) does not end a sentence.
    const isAbbreviation = this.#beforeEnd === at && at - this.#beforeStart < 3;
    if (code === char.colon || (code === char.dot && !isAbbreviation)) this.#isSentenceStart = true;
    return at + 1;
  }

  #readQuote(at: number): void {
    this.#isSentenceStart = false;
    if (at === this.#quoteEnd) return;
    const close = endOfQuote(this.#text, at, this.#end);
    if (close === 0) return;
    this.#quoteEnd = close;
    const words = this.#text.slice(at + 1, close).toLowerCase();
    this.#meetKey(words.replace(/\s+/g, ' '), 'quoted');
  }

  #readSign(at: number, kind: number): void {
    const isAfterNumber = this.#flagsBefore & isNumber && at - this.#beforeEnd <= 1;
    const value = isAfterNumber ? this.#tokens.valueOf(this.#before) : '';
    if (kind === percent) {
      if (isAfterNumber) this.#meetKey(`${value}%`, 'quantity');
      return;
    }
    this.#symbol = this.#text.charAt(at);
    this.#symbolEnd = at + 1;
    if (isAfterNumber) this.#meetKey(this.#symbol + value, 'amount');
  }

  #take(start: number, end: number, hash: number): void {
    const token = end - start > longestToken ? -1 : this.#tokenOf(start, end, hash);
    const flags = token < 0 ? 0 : this.#tokens.flagsOf(token);
    const id = token < 0 ? -1 : this.#tokens.idOf(token);
    if (id >= 0) {
      if (!(flags & isNameOnly)) this.#meet(id);
      for (let at = 0; at < this.#tokens.moreCount(token); at++) this.#meet(this.#tokens.moreId(token, at));
    }
    if (flags & isCapital) this.#takeCapital(start, end, flags & isName ? id : -1);
    else {
      this.#endName();
      if (flags & isPlainWord && this.#learns) this.terms.addCapitals(id, -1);
    }
    if (flags & isNumber && this.#symbolEnd >= start - 1 && this.#symbolEnd > this.#beforeEnd)
      this.#meetKey(this.#symbol + this.#tokens.valueOf(token), 'amount');
    const mayPair = (this.#flagsBefore | flags) & isNumber || this.#flagsBefore & isErrorWord;
    if (mayPair && this.#before >= 0 && token >= 0 && start - this.#beforeEnd <= longestGap)
      this.#takePair(token, flags, start);
    this.#before = token;
    this.#flagsBefore = flags;
    this.#beforeStart = start;
    this.#beforeEnd = end;
    this.#isSentenceStart = false;
  }

  #tokenOf(start: number, end: number, hash: number): number {
    const known = this.#tokens.find(this.#text, start, end, hash);
    if (known >= 0 || !this.#learns) return known;
    const raw = this.#text.slice(start, end);
    return this.#tokens.add(raw, hash, explainToken(raw, this.terms));
  }

  /** Continues a name with a capitalised word, or begins one if the word has a term. */
  #takeCapital(start: number, end: number, id: number): void {
    if (id >= 0 && !this.#isSentenceStart) {
      this.#meet(id);
      if (this.#learns) this.terms.addCapitals(id, 1);
    }
    if (this.#name.goOn(this.#text, start, end)) return;
    this.#endName();
    if (id >= 0) this.#name.begin(start, end);
  }

  /** Takes the terms that the last token forms together with the one that begins at `start`. */
  #takePair(second: number, flags: number, start: number): void {
    if (this.#flagsBefore & isErrorWord && !(flags & isNumber)) {
      const id = this.#tokens.idOf(second);
      if (flags & isMixed && id >= 0 && this.#learns) this.terms.strengthen(id, 'error');
      return;
    }
    const term = pairTerm(
      this.#paired(this.#before, this.#flagsBefore),
      this.#paired(second, flags),
      start - this.#beforeEnd,
      () => isGap(this.#text, this.#beforeEnd, start),
    );
    if (term !== undefined) this.#meetKey(term.key, term.kind);
  }

  #paired(token: number, flags: number): PairedToken {
    return { flags, value: this.#tokens.valueOf(token), length: this.#tokens.lengthOf(token) };
  }

  #endName(): void {
    if (this.#name.isName) this.#meetKey(this.#name.textIn(this.#text).toLowerCase(), 'name');
    this.#name.clear();
  }

  #meetKey(key: string, kind: TermKind): void {
    const id = this.#learns ? this.terms.idOf(key, kind) : this.terms.find(key);
    if (id >= 0) this.#meet(id);
  }

  #meet(id: number): void {
    if (this.terms.isNewIn(id, this.#textNumber)) this.#found[this.#count++] = id;
  }
}
