import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { figure } from './figures.js';
import type { FirstCompressions } from './first-compressions.js';
import { progress } from './progress.js';
import { median, ms } from './timing.js';

const script = fileURLToPath(new URL('first-compressions.ts', import.meta.url));
/** For a median: one process in a row may be disturbed. */
const runs = 3;
/** In MB: small, so that the heap is collected often and its size says what is alive. */
const youngHeap = 1;
const mebibyte = 1024 ** 2;

/** Longest pauses and times that a user may notice. */
const goals = { pause: 20, firstPlan: 300, secondPlan: 50, largest: 2_000, memory: 10 };

/** The default settings on a conversation that is long already when it is compressed for the first time. */
export function firstCompressions(): void {
  for (const tokens of [190_000, 500_000]) {
    const taken = Array.from({ length: runs }, () => inFreshProcess('tokens', tokens));
    const of = `first compression of ${tokens.toLocaleString('en-US')} tokens`;
    const pause = median(taken.map(({ firstPause }) => firstPause));
    figure(
      `longest pause of the event loop in the ${of}`,
      `${ms(pause)} ms`,
      `< ${goals.pause} ms`,
      pause < goals.pause,
    );
    const first = median(taken.map((one) => one.first));
    figure(
      `${of}, in a fresh process`,
      `${ms(first)} ms`,
      `< ${goals.largest / 1000} s`,
      first < goals.largest,
    );
  }
  const taken = Array.from({ length: runs }, () => inFreshProcess('messages', 10_000));
  const [first, second] = [median(taken.map((one) => one.first)), median(taken.map((one) => one.second))];
  const messages = '10,000 messages, in a fresh process';
  figure(
    `first compression of ${messages}`,
    `${ms(first)} ms`,
    `< ${goals.firstPlan} ms`,
    first < goals.firstPlan,
  );
  const checked = median(
    Array.from({ length: runs }, () => inFreshProcess('messages', 10_000, 'checked').first),
  );
  figure(
    `first compression of ${messages}, to a fifth, with a check before each answer`,
    `${ms(checked)} ms`,
    `< ${goals.firstPlan} ms`,
    checked < goals.firstPlan,
  );
  figure(
    `second compression of ${messages}, 500 messages later`,
    `${ms(second)} ms`,
    `< ${goals.secondPlan} ms`,
    second < goals.secondPlan,
  );
  const times = heapGrowth() / (taken[0]?.characters ?? Number.NaN);
  figure(
    'memory of the first compression of 10,000 messages, relative to their text',
    `${times.toFixed(1)}×`,
    `< ${goals.memory}×`,
    times < goals.memory,
  );
}

function inFreshProcess(unit: string, number: number, checked?: 'checked'): FirstCompressions {
  progress(`first compression of ${number} ${unit}`);
  const output = run([unit, String(number), ...(checked === undefined ? [] : [checked])]);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as FirstCompressions;
}

function run(given: readonly string[], ...flags: readonly string[]): string {
  const args = ['--expose-gc', ...flags, '--import', import.meta.resolve('tsx'), script, ...given];
  return execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 64 * mebibyte });
}

/** In bytes: the largest heap after a collection during a compression, beyond what was there before it. */
function heapGrowth(): number {
  const output = run(['messages', '10000'], '--trace-gc', `--max-semi-space-size=${youngHeap}`);
  const from = output.indexOf('begin ');
  const before = Number.parseInt(output.slice(from + 'begin '.length), 10);
  const during = output.slice(from, output.indexOf('\nend', from));
  const sizes = [...during.matchAll(/-> ([\d.]+) \(/g)].map(([, size]) => Number(size) * mebibyte);
  return Math.max(before, ...sizes) - before;
}
