import { parseArgs } from 'node:util';
import { campaign } from './campaign.js';
import { type FuzzerName, fuzzerNames } from './fuzzers.js';

const usage = `npm run fuzz -- [--minutes 30] [--histories N] [--seed N] [--only ${fuzzerNames.join('|')}] [--workers 2]`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    histories: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    workers: { type: 'string' },
  },
});

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exit(1);
}

function numberOf(name: 'minutes' | 'histories' | 'seed' | 'workers', fallback: number): number {
  const given = values[name];
  if (given === undefined) return fallback;
  const number = Number(given);
  return Number.isFinite(number) && number >= 0
    ? number
    : refuse(`--${name} must be a number, not "${given}".`);
}

function fuzzersOf(name: string | undefined): readonly FuzzerName[] {
  if (name === undefined) return fuzzerNames;
  return fuzzerNames.find((known) => known === name) === undefined
    ? refuse(`There is no fuzzer "${name}".`)
    : [name as FuzzerName];
}

const failed = await campaign({
  fuzzers: fuzzersOf(values.only),
  seed: numberOf('seed', Date.now() % 2 ** 32) >>> 0,
  histories: numberOf('histories', Number.POSITIVE_INFINITY),
  minutes: numberOf('minutes', values.histories === undefined ? 30 : Number.POSITIVE_INFINITY),
  workers: Math.max(1, Math.floor(numberOf('workers', 2))),
  say: (line) => process.stdout.write(`${line}\n`),
});
process.exitCode = failed === 0 ? 0 : 1;
