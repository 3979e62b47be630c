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
const number = /^(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})$/;
/** What stands directly before or after the number that fits. */
const beforeLimit =
  /(?:max(?:imum)?(?!imum| output)|limit|window|context|allowed|up to|n_ctx|exceeds?|[<>]=?|less than|\[1,)[^\d.]{0,30}$/i;
const afterLimit = /^(?: tokens?)? (?:maximum|context|token limit)\b/i;
/** What stands directly before a number that is no size: how much is too much, or the number of the error. */
const beforeOther = /(?:\bby |exceeds limit \()$/i;
const sum = /\b(\d{1,12}) \+ (\d{1,12}) > (\d{1,12})\b/;
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

function figuresIn(text: string): OverflowFigures {
  const added = sum.exec(text);
  if (added !== null) return { limit: Number(added[3]), requested: Number(added[1]) + Number(added[2]) };
  const found = [...text.matchAll(words)].flatMap(({ 0: word, index }) => {
    const digits = word.replace(/[.,]$/, '');
    const before = text.slice(Math.max(0, index - 50), index);
    if (!number.test(digits) || beforeOther.test(before)) return [];
    const isLimit =
      beforeLimit.test(before) ||
      afterLimit.test(text.slice(index + digits.length, index + digits.length + 40));
    return [{ value: Number(digits.replaceAll(',', '')), isLimit }];
  });
  const sizes = found.filter(({ value }) => Number.isSafeInteger(value) && value >= smallest);
  const distinct = [...new Set(sizes.map(({ value }) => value))].sort((a, b) => a - b);
  const named = sizes.find(({ isLimit }) => isLimit)?.value;
  const limit = named ?? (distinct.length === 2 ? distinct[0] : undefined);
  const largest = distinct.at(-1);
  if (limit === undefined || largest === undefined || largest <= limit) return { limit };
  return { limit, requested: largest, ...(!withAnswer.test(text) && { input: largest }) };
}
