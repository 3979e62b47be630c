import type { Choice } from './choose.js';

/** More is chosen than fits by the estimates, for they may be too high. */
export const spare = 1.5;
const rounds = 5;
const closeEnough = 0.98;
const closeTo = 0.995;

export interface LargestOptions {
  readonly maxTokens: number;
  /** What the choices may have together by their estimates. */
  readonly estimated: number;
  render(choices: readonly Choice[]): string;
  tokensOf(text: string): number;
}

/** The text of as many of the first choices as fit: by their estimates, which are put right by what a rendering really has. */
export function largestText(
  choices: readonly Choice[],
  { maxTokens, estimated, render, tokensOf }: LargestOptions,
): { readonly text: string; readonly count: number } {
  let best = { text: render([]), count: 0 };
  const bare = tokensOf(best.text);
  let bestTokens = bare;
  let allowed = estimated;
  for (let round = 0; round < rounds && bare < maxTokens && choices.length > 0; round += 1) {
    const count = countWithin(choices, allowed);
    const text = render(choices.slice(0, count));
    const tokens = tokensOf(text);
    const fits = tokens <= maxTokens;
    if (fits && tokens >= bestTokens) {
      best = { text, count };
      bestTokens = tokens;
    }
    if (fits && (count === choices.length || tokens > maxTokens * closeEnough)) break;
    const scale = (closeTo * (maxTokens - bare)) / Math.max(1, tokens - bare);
    allowed *= fits ? Math.min(spare, scale) : Math.min(closeTo, scale);
  }
  return best;
}

/** The largest number up to `most` for which it holds, where it holds for all smaller ones; 0 where for none. */
export function largestWithin(most: number, holds: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function countWithin(choices: readonly Choice[], maxTokens: number): number {
  let left = maxTokens;
  const end = choices.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return end < 0 ? choices.length : end;
}
