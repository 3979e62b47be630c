import type { ErrorFields } from '../base/errors.js';
import { isFields } from '../base/native.js';
import { nearest } from '../base/nearest.js';
import { knownKeys } from '../config/config-problems.js';
import type { CheckOptions, CompressOptions, ManagerOptions } from './manager-options.js';

type Keys<Options> = Readonly<Record<keyof Options, true>>;

export const managerKeys: Keys<ManagerOptions> = {
  provider: true,
  model: true,
  config: true,
  container: true,
  strategies: true,
  tools: true,
  counter: true,
  beforeCompress: true,
  now: true,
  wait: true,
  slices: true,
  archive: true,
  conversation: true,
};
export const checkKeys: Keys<CheckOptions> = { signal: true, beforeSend: true };
export const recoverKeys: Keys<Pick<CheckOptions, 'signal'>> = { signal: true };
export const simulateKeys: Keys<Pick<CompressOptions, 'strategy' | 'targetTokens'>> = {
  strategy: true,
  targetTokens: true,
};
export const compressKeys: Keys<CompressOptions> = { ...simulateKeys, instructions: true, signal: true };

/** Finds keys that a call does not take. */
export function unknownOptions(
  options: unknown,
  known: Readonly<Record<string, true>>,
  call: string,
): ErrorFields[] {
  if (!isFields(options)) {
    return [
      {
        code: 'config-invalid',
        problem: `The options of ${call} must be an object`,
        place: 'options',
        value: options,
        remedy: `Its options are ${Object.keys(known).join(', ')}.`,
      },
    ];
  }
  return Object.keys(options)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => ({
      code: 'config-invalid',
      problem: 'Unknown option',
      place: key,
      value: options[key],
      remedy: remedyFor(key, known),
    }));
}

function remedyFor(key: string, known: Readonly<Record<string, true>>): string {
  const guess = nearest(key, Object.keys(known));
  const isSetting = Object.hasOwn(known, 'config') && knownKeys.includes(key);
  if (guess === undefined && !isSetting) return `The options are ${Object.keys(known).join(', ')}.`;
  return [
    ...(guess === undefined ? [] : [`Did you mean "${guess}"?`]),
    ...(isSetting ? [`A setting goes into config: { config: { ${key}: … } }.`] : []),
  ].join(' ');
}
