import { ConfigError } from '@ctx/core';

export interface RecallOptions {
  /** Tokens that an answer may have, with all that stands around the passages. A model may ask for less. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Counts the tokens of a text. @default exact BPE with the encoding o200k_base */
  readonly tokensOf?: ((text: string) => number) | undefined;
  /** Is told what went wrong when the source could not be read; the model is told only that it could not. @default nobody is told */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Tokens. With them recall finds nine tenths of what a step names; twice as much finds little more (docs/results.md). */
export const usualTokens = 2_000;
/** Tokens. The longest answer without passages fits into them. */
export const leastTokens = 200;

const known = ['maxTokens', 'tokensOf', 'onError'];

/** @throws ConfigError `config-invalid` */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    refuse('options', options, 'The options of recall must be an object');
  for (const [key, value] of Object.entries(options as object)) {
    if (!known.includes(key)) refuse(key, value, 'Unknown option', `The options are ${known.join(', ')}.`);
    if (value === undefined) continue;
    const isNumber = key === 'maxTokens';
    if (isNumber && !(typeof value === 'number' && value >= leastTokens))
      refuse(key, value, 'The answers need more room than this', `Give a number from ${leastTokens}.`);
    if (!isNumber && typeof value !== 'function') refuse(key, value, 'This option must be a function');
  }
}

function refuse(
  place: string,
  value: unknown,
  problem: string,
  remedy = 'Correct it, or leave it out.',
): never {
  throw new ConfigError({ code: 'config-invalid', place: `recall.${place}`, value, problem, remedy });
}
