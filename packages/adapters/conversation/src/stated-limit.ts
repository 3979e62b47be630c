/** How providers and local servers name the tokens that fit, in an error about a request that is larger. */
const statements = [
  /\b(?:context|prompt|model) (?:length|window|size)(?<between>[^\d.]{0,30})(?<tokens>\d[\d,]{0,12})/gi,
  /\b(?<tokens>\d[\d,]{0,12}) maximum context length/gi,
  /\d (?:tokens )?> (?<tokens>\d[\d,]{0,12})/gi,
  /maximum number of tokens allowed \((?<tokens>\d[\d,]{0,12})\)/gi,
  /only supports up to (?<tokens>\d[\d,]{0,12})/gi,
  /\b(?:limit|max size)(?: of| is|:)? (?<tokens>\d[\d,]{0,12})/gi,
  /\bmax_(?:prompt_tokens|seq_len)\b(?: \(| )(?<tokens>\d[\d,]{0,12})/gi,
  /\bno more than (?<tokens>\d[\d,]{0,12})/gi,
  /\b(?:context size|context window) is (?<tokens>\d[\d,]{0,12})/gi,
  /cannot exceed (?<tokens>\d[\d,]{0,12})/gi,
  /input length should be \[\d{1,9}, ?(?<tokens>\d[\d,]{0,12})\]/gi,
  /must (?:be <=|have less than) (?<tokens>\d[\d,]{0,12})/gi,
];
/** Between the window and a number that is none of its size. */
const otherNumber = /exceed|^ by\b/i;
/** Characters of a text that are searched: the figure is in its first sentences. */
const longestText = 4_000;
/** Levels of an error and the errors in it. */
const deepest = 4;

/** The largest number of tokens that fits, as an overflow error says it; `undefined` if it says none. */
export function statedLimit(error: unknown): number | undefined {
  for (const text of textsIn(error, 0)) {
    for (const { groups } of statements.flatMap((one) => [...text.slice(0, longestText).matchAll(one)])) {
      const tokens = Number(groups?.tokens?.replaceAll(',', ''));
      const isOther = otherNumber.test(groups?.between ?? '');
      if (!isOther && Number.isSafeInteger(tokens) && tokens > 0) return tokens;
    }
  }
  return undefined;
}

/** The tokens that were requested, as an error says it, mostly with those of the answer; `undefined` if it says none. */
export function statedRequest(error: unknown): number | undefined {
  for (const text of textsIn(error, 0)) {
    const [, tokens] = /\brequested:? (?:about )?(\d[\d,]{0,12})\b/i.exec(text.slice(0, longestText)) ?? [];
    if (tokens !== undefined) return Number(tokens.replaceAll(',', ''));
  }
  return undefined;
}

function* textsIn(error: unknown, depth: number): Generator<string> {
  if (typeof error === 'string') yield error;
  if (typeof error !== 'object' || error === null || depth === deepest) return;
  // The message of an `Error` is none of its own enumerable members.
  const { message, cause } = error as { message?: unknown; cause?: unknown };
  for (const one of new Set([message, ...Object.values(error), cause])) yield* textsIn(one, depth + 1);
}
