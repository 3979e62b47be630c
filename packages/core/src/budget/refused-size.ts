import type { OverflowFigures } from './overflow-figures.js';

/** A little more than the error names is taken off, because the count of what is left is not exact to the token: this share of the request. */
const margin = 0.02;
/** The share that is tried of a request if the error does not say how far it is too large: first a little less, then much less. */
const tried = [0.9, 0.45, 0.25];
/** A figure so many times the tokens of the request is one of bytes or characters. */
const otherMeasure = 3;

/** What a refused request must get down to, in the provider's tokens. */
export interface RefusedSize {
  readonly goal: number;
  /** More than this is refused again, for certain; `undefined` if the error does not say it. */
  readonly most: number | undefined;
}

/**
 * @param tokens those of the request, as far as they are known here
 * @param attempt how often in a row a request was refused, 1 or more
 */
export function refusedSize(
  tokens: number,
  { limit, requested }: OverflowFigures,
  attempt: number,
): RefusedSize {
  const most = mostOf(tokens, limit, requested);
  if (most !== undefined) return { most, goal: Math.max(0, Math.floor(most - margin * tokens)) };
  const share = tried[Math.min(attempt, tried.length) - 1] as number;
  return { most, goal: Math.floor(share * tokens) };
}

function mostOf(tokens: number, limit?: number, requested?: number): number | undefined {
  if (limit === undefined) return undefined;
  if (requested === undefined) return limit < tokens ? limit : undefined;
  if (requested > otherMeasure * tokens) return tokens * (limit / requested);
  return tokens - (requested - limit) * Math.max(1, tokens / requested);
}

/** True if a figure is one of tokens, and may be of this request. */
export function isTokensOf(tokens: number, figure: number): boolean {
  return figure <= otherMeasure * tokens;
}
