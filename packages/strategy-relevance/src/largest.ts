import type { Choice } from './choose.js';
import { aimedAt, fullEnough, renderings, spare } from './weights.js';

export interface LargestOptions {
  readonly maxTokens: number;
  /** The most tokens that the choices may have together, by their estimates. */
  readonly estimated: number;
  render(choices: readonly Choice[]): string;
  tokensOf(text: string): number;
}

/** Renders as many choices as fit, in order of choice. Corrects the estimates by the counted tokens of each rendering. */
export function largestText(
  choices: readonly Choice[],
  { maxTokens, estimated, render, tokensOf }: LargestOptions,
): { readonly text: string; readonly count: number } {
  let best = { text: render([]), count: 0 };
  const bare = tokensOf(best.text);
  let bestTokens = bare;
  let allowed = estimated;
  for (let round = 0; round < renderings && bare < maxTokens && choices.length > 0; round += 1) {
    const count = countWithin(choices, allowed);
    const text = render(choices.slice(0, count));
    const tokens = tokensOf(text);
    const fits = tokens <= maxTokens;
    if (fits && tokens >= bestTokens) {
      best = { text, count };
      bestTokens = tokens;
    }
    if (fits && (count === choices.length || tokens > maxTokens * fullEnough)) break;
    const scale = (aimedAt * (maxTokens - bare)) / Math.max(1, tokens - bare);
    allowed *= fits ? Math.min(spare, scale) : Math.min(aimedAt, scale);
  }
  return best;
}

/** The largest number up to `most` for which `holds` is true; 0 if there is none. Assumes that it also holds for all smaller numbers. */
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
