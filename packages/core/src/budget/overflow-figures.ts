import { textsOfError } from './overflow.js';

/** What a provider says of a refused request, in its own measure: tokens, or bytes. */
export interface OverflowFigures {
  readonly limit?: number | undefined;
  /** What the request has, with the answer that it asks for if the error counts that too. */
  readonly requested?: number | undefined;
  /** The same if it is certainly the input alone. */
  readonly input?: number | undefined;
}

/** A word with all that belongs to it. */
const words = /[\w./,-]+/g;
/** A number that stands by itself: no part of a name, a version or a date. */
const number = /^(?:\d{1,3}(?:[,._]\d{3}){1,5}|\d{1,15}|\d{1,12}k)$/i;
/** Thousands that are parted by a space. */
const spaces = /(?<=\b\d{1,3})[ \u00a0\u202f](?=\d{3}\b(?! ?[-.]))/g;
/** What stands directly before the number that fits, for certain, and what may. */
const beforeLimit =
  /(?:max(?:imum)?(?!imum| output)|m[aá]xim[ao]l?|limit|allowed|up to|at most|exceeds?|excede|[<>]=?|less than|only|\[1,)[^\d.]{0,30}$/i;
const beforeWindow = /(?:window|context|n_ctx)[^\d.]{0,30}$/i;
const afterLimit = /^(?: tokens?)? (?:maximum|context|token limit)\b/i;
/** What stands directly before a number that is no size: how much is too much, or the number of the error. */
const beforeOther = /(?:\bby |exceeds limit \(|\b(?:id|code|status|error|http)["']?:? ?["']?|\bat least )$/i;
/** What stands directly after a number that is one of bytes or pieces, whatever is before it. */
const afterOther = /^ ?(?:[kmg]i?b|megabytes|messages|images|pages|seconds|minutes)\b/i;
const sum = /\b(\d{1,12}) \+ (\d{1,12}) > (\d{1,12})\b/;
const parts = /\b(\d{1,12}) input tokens and requested (\d{1,12}) output tokens.{0,80}\bonly (\d{1,12})\b/i;
const withAnswer = /completion|output|max_(?:new_)?tokens|new tokens/i;
/** Fewer tokens are no request that is too large. */
const smallest = 5;

/** Reads how large a refused request was and how much fits, as far as the error says it. */
export function overflowFigures(error: unknown): OverflowFigures {
  let best: OverflowFigures = {};
  for (const text of textsOfError(error)) {
    const figures = figuresIn(text);
    if (figures.requested !== undefined && figures.limit !== undefined) return figures;
    if (best.limit === undefined) best = figures;
  }
  return best;
}

function figuresIn(written: string): OverflowFigures {
  const added = sum.exec(written) ?? parts.exec(written);
  if (added !== null) return { limit: Number(added[3]), requested: Number(added[1]) + Number(added[2]) };
  const text = written.replace(spaces, '');
  const found = [...text.matchAll(words)].flatMap(({ 0: word, index }) => {
    const digits = word.replace(/[.,]$/, '');
    const before = text.slice(Math.max(0, index - 50), index);
    const after = text.slice(index + digits.length, index + digits.length + 40);
    if (!number.test(digits) || beforeOther.test(before) || afterOther.test(after)) return [];
    const isLimit = beforeLimit.test(before) || afterLimit.test(after);
    const value = Number(digits.replace(/[,._]/g, '').replace(/k$/i, '000'));
    return [{ value, isLimit, isWindow: beforeWindow.test(before) }];
  });
  const sizes = found.filter(({ value }) => Number.isSafeInteger(value) && value >= smallest);
  const distinct = [...new Set(sizes.map(({ value }) => value))].sort((a, b) => a - b);
  const named = sizes.find(({ isLimit }) => isLimit) ?? sizes.find(({ isWindow }) => isWindow);
  const limit = named?.value ?? (distinct.length === 2 ? distinct[0] : undefined);
  const largest = distinct.at(-1);
  if (limit === undefined || largest === undefined || largest <= limit) return { limit };
  return { limit, requested: largest, ...(!withAnswer.test(text) && { input: largest }) };
}
