import { inspect, parseArgs } from 'node:util';
import { loadCounters } from './counter.js';
import { historyOf, shrunk } from './history.js';
import { LawBook, lawNames } from './laws.js';
import { failureOf } from './run-history.js';

/** Usage: main.js [--minutes 30] [--seed N]; runs seeds one by one. If one never ends, it is the last that was named. */
const type = 'string' as const;
const { values } = parseArgs({ options: { minutes: { type }, seed: { type } } });
const minutes = Number(values.minutes ?? 30);
if (!(minutes > 0)) throw new Error('Usage: npm run fuzz -- [--minutes 30] [--seed N]');
const endsAt = Date.now() + minutes * 60_000;
const first = Number(values.seed ?? Date.now() % 2 ** 32) >>> 0;

const whole = { depth: null, maxArrayLength: null, maxStringLength: null } as const;
const pasteable = (value: unknown) => inspect(value, { ...whole, breakLength: 140, compact: 4 });
const say = (line: string) => process.stdout.write(`${line}\n`);

const book = new LawBook();
const failed: number[] = [];
await loadCounters();
for (let seed = first; Date.now() < endsAt; seed = (seed + 1) >>> 0) {
  process.stdout.write(`\rseed ${seed}, ${failed.length} failed `);
  const failure = await failureOf(historyOf(seed), { book });
  if (failure === undefined) continue;
  failed.push(seed);
  const least = await shrunk(seed, failure, (history) => failureOf(history));
  say(`breaks ${least.failure.law}: ${least.failure.detail}\nawait failureOf(${pasteable(least.history)})\n`);
}
say('');
for (const law of lawNames) say(`${law.padEnd(26)} ${book.checked.get(law) ?? 'never put to the test'}`);
say(failed.length === 0 ? 'Nothing failed.' : `Failed seeds: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
