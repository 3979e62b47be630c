import { Worker } from 'node:worker_threads';
import type { FuzzerName } from './fuzzers.js';
import { LawBook, lawsOf } from './laws.js';
import type { Report, Task } from './worker.js';

export interface CampaignOptions {
  readonly fuzzers: readonly FuzzerName[];
  /** The first seed. The others are the numbers after it. */
  readonly seed: number;
  /** The number of seeds for each fuzzer. */
  readonly histories: number;
  readonly minutes: number;
  readonly workers: number;
  readonly say: (line: string) => void;
}

/** A worker that reports nothing for this long hangs. In ms. */
const silence = 120_000;
const progressEvery = 10_000;
/** The longest time that a timer can wait, in ms. */
const longest = 2 ** 31 - 1;
/** The most seeds that are listed for each law at the end. */
const listed = 20;

/** Runs fuzzers in several threads, prints what they find, and returns the number of failed seeds. */
export async function campaign(options: CampaignOptions): Promise<number> {
  const { fuzzers, seed, histories, minutes, workers, say } = options;
  const book = new LawBook();
  const failures = new Map<string, number[]>();
  const startedAt = Date.now();
  let [done, failed] = [0, 0];
  const hear = (report: Report) => {
    done += 1;
    book.add(report.checked);
    if (report.law === undefined) return;
    failed += 1;
    failures.set(report.law, [...(failures.get(report.law) ?? []), report.seed]);
    if (report.explanation !== undefined) say(`\nseed ${report.seed} breaks ${report.explanation}\n`);
  };
  const progress = () => {
    const pace = Math.round((done * 1000) / (Date.now() - startedAt));
    const compressions = book.checked.get('fewer-tokens') ?? 0;
    say(`${done} runs, ${pace} a second, ${compressions} compressions, ${failed} failed`);
  };
  say(`Seed ${seed}, ${workers} workers, ${fuzzers.join(' and ')}`);
  const showing = setInterval(progress, progressEvery);
  for (const [index, fuzzer] of fuzzers.entries()) {
    const endsAt = startedAt + (minutes * 60_000 * (index + 1)) / fuzzers.length;
    const task = { fuzzer, stride: workers, count: Math.ceil(histories / workers) };
    const firsts = Array.from({ length: workers }, (_, at) => seed + at);
    await Promise.all(firsts.map((first) => run({ ...task, seed: first }, endsAt, hear)));
  }
  clearInterval(showing);

  progress();
  for (const law of fuzzers.flatMap((name) => lawsOf[name])) {
    const times = book.checked.get(law) ?? 0;
    say(`${law.padEnd(26)} ${times === 0 ? 'never put to the test' : `${times} checks`}`);
  }
  for (const [law, seeds] of failures)
    say(`${law} was broken by ${seeds.length} seeds: ${seeds.slice(0, listed).join(', ')}`);
  return failed;
}

/** Runs one worker until its seeds are done or the time is up. */
function run(task: Task, endsAt: number, hear: (report: Report) => void): Promise<void> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: task });
    let { seed } = task;
    const stop = () => void worker.terminate();
    const fail = (law: string, detail: string) => {
      hear({ seed, law, checked: new Map(), explanation: `${law}: ${detail}` });
      stop();
    };
    const hangs = () => fail('always-ends', `nothing was heard for ${silence} ms`);
    let watch = setTimeout(hangs, silence);
    const end = setTimeout(stop, Math.min(longest, Math.max(0, endsAt - Date.now())));
    worker.on('error', (error) => fail('typed-errors', `the worker broke down: ${error.stack}`));
    worker.on('message', (report: Report) => {
      clearTimeout(watch);
      watch = setTimeout(hangs, silence);
      seed = (report.seed + task.stride) >>> 0;
      hear(report);
    });
    worker.on('exit', () => {
      clearTimeout(watch);
      clearTimeout(end);
      resolve();
    });
  });
}
