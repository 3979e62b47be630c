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
import { endOfEscape, endOfQuote, isGap } from './mark-ends.js';
import type { TermKind } from './term.js';
import type { TermTable } from './term-table.js';
import { endOfRun, endOfToken, longestToken, startOfJoined } from './token-ends.js';
import {
  isCapital,
  isCode,
  isErrorWord,
  isMixed,
  isMoney,
  isMonth,
  isName,
  isNameOnly,
  isNumber,
  isPlainWord,
  isUnit,
} from './token-flags.js';
import { TokenTable } from './token-table.js';
import { isFailureCode } from './word-shapes.js';

/** Words that a name has at most. */
const longestName = 5;
/** Lists up to this long are copied, so that they take no more memory than they need. */
const longestCopy = 4096;

/** Reads texts token by token and collects the terms that tokens are by themselves and with those before them. */
export class TermReader {
  readonly #tokens = new TokenTable();
  #textNumber = 0;
  #found: number[] = [];
  #count = 0;
  #text = '';
  #end = 0;
  #isSentenceStart = true;
  /** The last token; -1 for none or a blob. */
  #before = -1;
  #flagsBefore = 0;
  #beforeStart = 0;
  #beforeEnd = 0;
  /** The last sign of a currency. */
  #symbol = '';
  #symbolEnd = -1;
  /** Where the last quote closes. */
  #quoteEnd = -1;
  /** Capitalised words that follow each other. */
  #nameStart = 0;
  #nameEnd = -1;
  #nameParts = 0;

  constructor(readonly terms: TermTable) {}

  /** The ids of the terms in text.slice(start, end), each once, in the order of first use. */
  read(text: string, start: number, end: number): number[] {
    this.#begin(text, end);
    for (let at = start; at < end; ) {
      const code = text.charCodeAt(at);
      const kind = classOf(code);
      if (kind === space) at++;
      else if (kind < wordClass) at = this.#readToken(at, at, at);
      else at = this.#readMark(at, code, kind);
    }
    if (this.#nameParts > 1) this.#meetName();
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
    this.#nameEnd = -1;
    this.#nameParts = 0;
  }

  /**
   * Takes the token that begins at `start`, whose first letter or digit is at `first` and of which all up to `from` is
   * known to belong to it; returns where it ends.
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
      this.#meetNumberedDay();
    this.#take(start, end, hash);
    return end;
  }

  /** Goes past what begins with no letter and no digit; returns where it ends. */
  #readMark(at: number, code: number, kind: number): number {
    if (kind === joiner) return this.#readJoiner(at, code);
    if (kind === spaceless) return this.#readRun(at);
    if (kind === wordClass) {
      if (code !== 36 || !isDigitAt(this.#text, at + 1, this.#end)) return this.#readToken(at, at, at);
      this.#symbol = '$';
      this.#symbolEnd = at + 1;
    } else if (code === 92 || code === 27) {
      const next = endOfEscape(this.#text, at, this.#end);
      if (next > at + 1 && this.#text.charCodeAt(at + 1) === 110) this.#isSentenceStart = true;
      return next;
    } else if (kind === stop) this.#isSentenceStart = true;
    else if (kind === quote) this.#readQuote(at);
    else if (kind === currency || kind === percent) this.#readSign(at, kind);
    return at + 1;
  }

  #readJoiner(at: number, code: number): number {
    const first = startOfJoined(this.#text, at, this.#end);
    if (first > 0) return this.#readToken(at, first, first);
    // A dot after an abbreviation (Mr. J.) ends no sentence.
    const isAbbreviation = this.#beforeEnd === at && at - this.#beforeStart < 3;
    if (code === 58 || (code === 46 && !isAbbreviation)) this.#isSentenceStart = true;
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
      if (this.#tokens.hasExtra(token)) for (const more of this.#tokens.moreIdsOf(token)) this.#meet(more);
    }
    if (flags & isCapital) this.#takeCapital(start, end, flags & isName ? id : -1);
    else {
      if (this.#nameParts > 1) this.#meetName();
      this.#nameParts = 0;
      if (flags & isPlainWord) this.terms.addCapitals(id, -1);
    }
    if (flags & isNumber && this.#symbolEnd >= start - 1 && this.#symbolEnd > this.#beforeEnd)
      this.#meetKey(this.#symbol + this.#tokens.valueOf(token), 'amount');
    if (((this.#flagsBefore | flags) & isNumber || this.#flagsBefore & isErrorWord) && this.#before >= 0)
      if (start - this.#beforeEnd <= 4) this.#takePair(token, flags, start);
    this.#before = token;
    this.#flagsBefore = flags;
    this.#beforeStart = start;
    this.#beforeEnd = end;
    this.#isSentenceStart = false;
  }

  #tokenOf(start: number, end: number, hash: number): number {
    const known = this.#tokens.find(this.#text, start, end, hash);
    if (known >= 0) return known;
    const raw = this.#text.slice(start, end);
    return this.#tokens.add(raw, hash, explainToken(raw, this.terms));
  }

  /** A word with a capital, which goes on with a name, or begins one if `id` is a term. */
  #takeCapital(start: number, end: number, id: number): void {
    if (id >= 0 && !this.#isSentenceStart) {
      this.#meet(id);
      this.terms.addCapitals(id, 1);
    }
    const goesOn =
      this.#nameParts > 0 &&
      this.#nameParts < longestName &&
      this.#nameEnd === start - 1 &&
      this.#text.charCodeAt(start - 1) === 32;
    if (goesOn) this.#nameParts++;
    else {
      if (this.#nameParts > 1) this.#meetName();
      this.#nameParts = id >= 0 ? 1 : 0;
      this.#nameStart = start;
    }
    this.#nameEnd = end;
  }

  /** The terms that the last token and the one that begins at `start` make together. */
  #takePair(second: number, b: number, start: number): void {
    const tokens = this.#tokens;
    const a = this.#flagsBefore;
    const first = this.#before;
    const gap = start - this.#beforeEnd;
    if (a & isNumber) {
      if (b & (isUnit | isMoney) && gap <= 1 && tokens.lengthOf(second) > 1) {
        if (b & isMoney) this.#meetKey(tokens.valueOf(second) + tokens.valueOf(first), 'amount');
        else this.#meetKey(tokens.valueOf(first) + tokens.valueOf(second), 'quantity');
      } else if (b & isMonth && this.#isGapUpTo(start))
        this.#meetDay(tokens.valueOf(second), tokens.valueOf(first));
    } else if (b & isNumber) {
      if (a & isMonth && this.#isGapUpTo(start)) this.#meetDay(tokens.valueOf(first), tokens.valueOf(second));
      else if (a & isMoney && gap === 1)
        this.#meetKey(tokens.valueOf(first) + tokens.valueOf(second), 'amount');
      else if (a & isCode && isFailureCode(tokens.valueOf(second)) && this.#isGapUpTo(start))
        this.#meetKey(`${tokens.valueOf(first)} ${tokens.valueOf(second)}`, 'error');
    } else if (a & isErrorWord && b & isMixed && tokens.idOf(second) >= 0)
      this.terms.strengthen(tokens.idOf(second), 'error');
  }

  #isGapUpTo(start: number): boolean {
    return isGap(this.#text, this.#beforeEnd, start);
  }

  #meetDay(month: string, day: string): void {
    if (/^(?:0?[1-9]|[12]\d|3[01])$/.test(day)) this.#meetKey(`${month}-${day.padStart(2, '0')}`, 'date');
  }

  /** A date such as 2024年5月3日 or 5月3日 that begins with the last token. */
  #meetNumberedDay(): void {
    const start = this.#beforeStart;
    const words = this.#text.slice(start, Math.min(this.#end, start + 11));
    const [, year, month = '', day = ''] =
      /^(?:(\d{4})年)?(0?[1-9]|1[0-2])月(0?[1-9]|[12]\d|3[01])[日号]/.exec(words) ?? [];
    if (month === '') return;
    const date = `${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (year !== undefined) this.#meetKey(`${year}-${date}`, 'date');
    this.#meetKey(date, 'date');
  }

  #meetName(): void {
    this.#meetKey(this.#text.slice(this.#nameStart, this.#nameEnd).toLowerCase(), 'name');
  }

  #meetKey(key: string, kind: TermKind): void {
    this.#meet(this.terms.idOf(key, kind));
  }

  #meet(id: number): void {
    if (this.terms.isNewIn(id, this.#textNumber)) this.#found[this.#count++] = id;
  }
}
