/** How providers and local servers name the tokens that fit, in an error about a request that is larger. */
const statements = [
  /\b(?:context|prompt|model) (?:length|window|size)(?! by\b)(?:(?!exceed)[^\d.]){0,30}?(\d[\d,]*)/i,
  /(\d[\d,]*) maximum context length/i,
  /\d\s*(?:tokens )?> (\d[\d,]*)/i,
  /maximum number of tokens allowed \((\d[\d,]*)\)/i,
  /only supports up to (\d[\d,]*)/i,
  /\blimit(?: of|:)? (\d[\d,]*)/i,
  /cannot exceed (\d[\d,]*)/i,
  /input length should be \[\d+, ?(\d[\d,]*)\]/i,
  /must (?:be <=|have less than) (\d[\d,]*)/i,
];
/** Characters of a text that are searched: the figure stands in its first sentences. */
const longestText = 4_000;
/** Levels of an error and the errors in it. */
const deepest = 4;

/** The largest number of tokens that fits, as an overflow error says it; `undefined` if it says none. */
export function statedLimit(error: unknown): number | undefined {
  for (const text of textsIn(error, 0)) {
    for (const statement of statements) {
      const tokens = Number(statement.exec(text.slice(0, longestText))?.[1]?.replaceAll(',', ''));
      if (Number.isSafeInteger(tokens) && tokens > 0) return tokens;
    }
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
