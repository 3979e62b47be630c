import type { Rule } from '@ctx/core';

/** Context windows in tokens and the encoding that counts best, by model; the first that matches. */
export const windows: readonly (Pick<Rule, 'model' | 'contextWindow' | 'encoding'> & {
  readonly model: string;
})[] = [
  { model: 'gpt-5*', contextWindow: 400_000 },
  { model: 'gpt-4.1*', contextWindow: 1_047_576 },
  { model: 'gpt-4o*', contextWindow: 128_000 },
  { model: 'chatgpt-4o*', contextWindow: 128_000 },
  { model: 'gpt-4-turbo*', contextWindow: 128_000, encoding: 'cl100k_base' },
  { model: 'gpt-4-1106*', contextWindow: 128_000, encoding: 'cl100k_base' },
  { model: 'gpt-4-0125*', contextWindow: 128_000, encoding: 'cl100k_base' },
  { model: 'gpt-4-32k*', contextWindow: 32_768, encoding: 'cl100k_base' },
  { model: 'gpt-4*', contextWindow: 8_192, encoding: 'cl100k_base' },
  { model: 'gpt-3.5*', contextWindow: 16_385, encoding: 'cl100k_base' },
  { model: 'o1-mini*', contextWindow: 128_000 },
  { model: 'o1-preview*', contextWindow: 128_000 },
  { model: 'o1*', contextWindow: 200_000 },
  { model: 'o3*', contextWindow: 200_000 },
  { model: 'o4*', contextWindow: 200_000 },
  { model: 'claude-2.0*', contextWindow: 100_000 },
  { model: 'claude*', contextWindow: 200_000 },
  { model: 'gemini-1.5-pro*', contextWindow: 2_097_152 },
  { model: 'gemini-1.5*', contextWindow: 1_000_000 },
  { model: 'gemini-2*', contextWindow: 1_048_576 },
  { model: 'gemini-3*', contextWindow: 1_048_576 },
  { model: 'gemini-pro*', contextWindow: 32_760 },
];
