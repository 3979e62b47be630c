/** Chinese, Japanese and Korean letters, their full-width forms and punctuation, and emoji. */
const dense =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]|[\ud83c-\ud83e][\udc00-\udfff]|[\ud840-\ud888][\udc00-\udfff]/g;

/**
 * A rough number of tokens from length and script, without a tokenizer: 4 characters a token, 3 where more than a
 * fifth of them are of a dense script, 1.8 where more than half are. Off by up to 40 % on code.
 */
export function estimateTokens(text: string): number {
  if (text === '') return 0;
  let denseLength = 0;
  for (const match of text.matchAll(dense)) denseLength += match[0].length;
  const ratio = denseLength / text.length;
  return Math.ceil(text.length / (ratio > 0.5 ? 1.8 : ratio > 0.2 ? 3 : 4));
}
