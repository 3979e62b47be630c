import { cutText, estimateTokens } from '@ctx/core/light';

/** Tokens up to which a result stays as it is, and those that stay of a longer one. */
const [most, kept] = [4_000, 2_000];
/** The share of what stays that is from the start: errors and sums are at the end. */
const headShare = 0.6;

/**
 * A result that is shortened before it is sent for the first time, so that no cache is lost; undefined if it is short enough.
 * @param path the file in which the whole text is
 */
export function shortened(text: string, path: string): string | undefined {
  if (estimateTokens(text) <= most) return undefined;
  return cutText(text, {
    maxTokens: kept,
    tokensOf: estimateTokens,
    headShare,
    marker: ({ lines, characters }) =>
      `[ctx left out ${lines > 0 ? `${lines} lines` : `${characters} characters`} here; all of it: ${path}]`,
  });
}
