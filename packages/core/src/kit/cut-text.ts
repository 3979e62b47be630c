import { finish, type Steps } from '../base/slices.js';

export interface CutOptions {
  /** The most tokens that the result may have. */
  readonly maxTokens: number;
  tokensOf(text: string): number;
  /** Counts a long text in steps; used by `cutTextInSteps`. */
  countInSteps?(text: string): Steps<number>;
  /**
   * The share of the kept text that comes from the start, 0–1.
   * @default 0.5
   */
  readonly headShare?: number | undefined;
  /**
   * The line that replaces the removed text.
   * @default `[… 1,234 tokens (56 lines) left out …]`
   */
  marker?(gone: Gone): string;
}

export interface Gone {
  readonly tokens: number;
  readonly lines: number;
  readonly characters: number;
}

/**
 * Shortens a text to at most `maxTokens`. The head and the tail stay, with a marker between them; cuts are made at line
 * breaks if there are any nearby. Returns the text itself if it fits, and undefined if not even the marker fits. Takes
 * time in proportion to the text.
 */
export function cutText(text: string, options: CutOptions): string | undefined {
  return finish(cutTextInSteps(text, options));
}

/** The same in steps. */
export function* cutTextInSteps(text: string, options: CutOptions): Steps<string | undefined> {
  const { maxTokens, tokensOf, headShare = 0.5, marker = leftOut } = options;
  const countInSteps = countingOf(options);
  const tokens = yield* countInSteps(text);
  if (tokens <= maxTokens) return text;
  const everything = { tokens, lines: lineBreaks(text), characters: text.length };
  const roomTokens = maxTokens - tokensOf(marker(everything)) - 2;
  let length = Math.floor((text.length * roomTokens) / tokens);
  for (let attempt = 0; length > 0 && attempt < maxAttempts; attempt += 1) {
    const head = headOf(text, Math.round(length * headShare));
    const tail = tailOf(text, length - Math.round(length * headShare));
    const kept = (yield* countInSteps(head)) + (yield* countInSteps(tail));
    if (kept <= roomTokens) {
      const middle = text.slice(head.length, text.length - tail.length);
      const gone = {
        tokens: Math.max(0, tokens - kept),
        lines: lineBreaks(middle),
        characters: middle.length,
      };
      const cut = joined(head, marker(gone), tail);
      if ((yield* countInSteps(cut)) <= maxTokens) return cut;
    }
    length = Math.floor(length * Math.min(0.9, (0.98 * roomTokens) / kept));
  }
  const bare = marker(everything);
  return tokensOf(bare) <= maxTokens && bare.length < text.length ? bare : undefined;
}

/** How texts are counted: in steps if the caller can, otherwise each at once. */
export function countingOf(
  options: Pick<CutOptions, 'tokensOf' | 'countInSteps'>,
): (text: string) => Steps<number> {
  return function* (text) {
    yield;
    return options.countInSteps === undefined ? options.tokensOf(text) : yield* options.countInSteps(text);
  };
}

/** How many lengths are tried. Each is at least a tenth shorter, so the last is below 2 % of the first. */
const maxAttempts = 40;
/** The largest share of a kept end that may be given up to cut at a line break. */
const alignment = 0.25;

function leftOut(gone: Gone): string {
  return `[… ${pluralise(gone.tokens, 'token')} (${extentOf(gone)}) left out …]`;
}

export function extentOf({ lines, characters }: Gone): string {
  return lines > 0 ? pluralise(lines, 'line') : pluralise(characters, 'character');
}

/** `1 line`, `1,234 lines`. */
export function pluralise(count: number, noun: string): string {
  const grouped = String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${grouped} ${noun}${count === 1 ? '' : 's'}`;
}

function joined(head: string, marker: string, tail: string): string {
  const before = head === '' || head.endsWith('\n') ? '' : '\n';
  const after = tail === '' || tail.startsWith('\n') ? '' : '\n';
  return `${head}${before}${marker}${after}${tail}`;
}

function headOf(text: string, length: number): string {
  const lineEnd = text.lastIndexOf('\n', length - 1) + 1;
  return startOf(text, lineEnd >= length * (1 - alignment) ? lineEnd : length);
}

function tailOf(text: string, length: number): string {
  const from = text.length - length;
  const lineStart = text.slice(from, from + Math.ceil(length * alignment)).indexOf('\n') + 1;
  return endOf(text, length - lineStart);
}

/** At most `length` characters from the start, without splitting a surrogate pair. */
export function startOf(text: string, length: number): string {
  return text.slice(0, splitsPair(text, length) ? length - 1 : length);
}

/** At most `length` characters from the end, without splitting a surrogate pair. */
export function endOf(text: string, length: number): string {
  const from = text.length - length;
  return text.slice(splitsPair(text, from) ? from + 1 : from);
}

function splitsPair(text: string, position: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, position - 1), position + 1));
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
