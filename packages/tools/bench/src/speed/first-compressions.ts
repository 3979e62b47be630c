import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../averages.js';
import type { Figures } from './figures.js';
import type { FirstCompressions } from './first-compressions-process.js';

const script = fileURLToPath(new URL('first-compressions-process.js', import.meta.url));
/** For a median: one process in a row may be disturbed. */
const runs = 3;
/** In MB: small, so that the heap is collected often and its size says what is alive. */
const youngHeap = 1;
const mebibyte = 1024 ** 2;

/** Longest pauses and times that a user may notice. */
const goals = { pause: 20, firstPlan: 300, secondPlan: 50, largest: 2_000, memory: 6 };

/**
 * The default settings on a conversation that is long already when it is compressed for the first time.
 * @param sessions files, of which a long conversation is made
 */
export function firstCompressions(figures: Figures, sessions: readonly string[]): void {
  const fresh = (unit: string, number: number) =>
    Array.from({ length: runs }, (): FirstCompressions => {
      figures.step(`first compression of ${number} ${unit}`);
      return JSON.parse(run([unit, number], sessions).trim().split('\n').at(-1) ?? '');
    });
  for (const tokens of [190_000, 500_000]) {
    const taken = fresh('tokens', tokens);
    const of = `first compression of ${tokens.toLocaleString('en-US')} tokens`;
    const pause = median(taken.map(({ firstPause }) => firstPause));
    figures.below(`longest pause of the event loop in the ${of}`, pause, goals.pause);
    figures.below(`${of}, in a fresh process`, median(taken.map(({ first }) => first)), goals.largest);
  }
  const taken = fresh('messages', 10_000);
  const [first, second] = [median(taken.map((one) => one.first)), median(taken.map((one) => one.second))];
  const messages = '10,000 messages, in a fresh process';
  figures.below(`first compression of ${messages}`, first, goals.firstPlan);
  const checked = median(fresh('checked', 10_000).map((one) => one.first));
  const step = `first compression of ${messages}, to a fifth, with a check before each answer`;
  figures.below(step, checked, goals.firstPlan);
  figures.below(`second compression of ${messages}, 500 messages later`, second, goals.secondPlan);
  // A collection of the old heap in the midst of a run, or none, makes a third of the figure.
  const times =
    median([memoryGrowth(), memoryGrowth(), memoryGrowth()]) / (taken[0]?.characters ?? Number.NaN);
  figures.add(
    'memory of the first compression of 10,000 messages, relative to their text',
    `${times.toFixed(1)}×`,
    `< ${goals.memory}×`,
    times < goals.memory,
  );
}

/** What the process prints. */
function run(
  [unit, number]: readonly [unit: string, number: number],
  sessions: readonly string[],
  flags: readonly string[] = [],
): string {
  const args = ['--expose-gc', ...flags, script, unit, String(number), ...sessions];
  return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * mebibyte });
}

/**
 * In bytes: the largest heap after a collection during a compression and the most that buffers took, also those that were no longer needed,
 * beyond what was there before it.
 */
function memoryGrowth(): number {
  const output = run(['messages', 10_000], [], ['--trace-gc', `--max-semi-space-size=${youngHeap}`]);
  const from = output.indexOf('begin ');
  const before = Number.parseInt(output.slice(from + 'begin '.length), 10);
  const end = output.indexOf('\nend ', from);
  const during = output.slice(from, end);
  const sizes = [...during.matchAll(/-> ([\d.]+) \(/g)].map(([, size]) => Number(size) * mebibyte);
  const buffers = Number.parseInt(output.slice(end + '\nend '.length), 10);
  return Math.max(before, ...sizes) - before + buffers;
}
