import { parseArgs } from 'node:util';
import { CtxError } from '@ctx/core';
import type { CampaignOptions } from './campaign.js';
import { type FuzzerName, fuzzerNames } from './fuzzers.js';

const usage = `npm run fuzz -- [--minutes 30] [--histories N] [--seed N] [--only ${fuzzerNames.join('|')}] [--workers 2]`;

/** Minutes, where neither they nor a number of histories are given. */
const usualMinutes = 30;

/**
 * What a command line asks for.
 * @throws CtxError `option-invalid` for what the command does not take
 */
export function parseCommandLine(args: readonly string[]): Omit<CampaignOptions, 'say'> {
  const { minutes, histories, seed, only, workers } = valuesIn(args);
  return {
    fuzzers: fuzzersOf(only),
    seed: numberIn('seed', seed, Date.now() % 2 ** 32) >>> 0,
    histories: numberIn('histories', histories, Number.POSITIVE_INFINITY),
    minutes: numberIn('minutes', minutes, histories === undefined ? usualMinutes : Number.POSITIVE_INFINITY),
    workers: Math.max(1, Math.floor(numberIn('workers', workers, 2))),
  };
}

function valuesIn(args: readonly string[]) {
  const type = 'string' as const;
  const options = {
    minutes: { type },
    histories: { type },
    seed: { type },
    only: { type },
    workers: { type },
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw invalid('arguments', args.join(' '), (error as Error).message.split('.')[0] ?? '');
  }
}

function numberIn(place: string, given: string | undefined, fallback: number): number {
  const number = Number(given ?? fallback);
  if (Number.isNaN(number) || number < 0 || given?.trim() === '')
    throw invalid(`--${place}`, given, 'This is not a number');
  return number;
}

function fuzzersOf(only: string | undefined): readonly FuzzerName[] {
  if (only === undefined) return fuzzerNames;
  const known = fuzzerNames.find((name) => name === only);
  if (known === undefined) throw invalid('--only', only, 'There is no such fuzzer');
  return [known];
}

const invalid = (place: string, value: unknown, problem: string) =>
  new CtxError({ code: 'option-invalid', place, value, problem, remedy: `Use ${usage}` });
