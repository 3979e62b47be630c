import { inspect, parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadCounters } from './counter.js';
import { historyOf, shrunk } from './history.js';
import { LawBook, type LawName, lawNames } from './laws.js';
import { failureOf } from './run-history.js';

/** Usage: main.js [--minutes 30] [--seed N]; runs seeds one by one in a thread, and ends one that hangs. */
interface Task {
  readonly seed: number;
  readonly endsAt: number;
}

/** The law that a seed broke, in a form that can be pasted into a test; without either the seed begins. */
interface Report {
  readonly seed: number;
  readonly checked?: ReadonlyMap<LawName, number>;
  readonly broken?: string | undefined;
}

/** A run that takes this long hangs. In ms. */
const silence = 120_000;
const progressEvery = 10_000;

const whole = { depth: null, maxArrayLength: null, maxStringLength: null } as const;
const pasteable = (value: unknown) => inspect(value, { ...whole, breakLength: 140, compact: 4 });

if (isMainThread) await search();
else await runSeeds(workerData as Task);

async function runSeeds({ seed: first, endsAt }: Task): Promise<void> {
  await loadCounters();
  for (let seed = first; Date.now() < endsAt; seed = (seed + 1) >>> 0) {
    const book = new LawBook();
    parentPort?.postMessage({ seed } satisfies Report);
    const failed = await failureOf(historyOf(seed), { book });
    const least = failed && (await shrunk(seed, failed, (history) => failureOf(history)));
    const broken =
      least && `${least.failure.law}: ${least.failure.detail}\nawait failureOf(${pasteable(least.history)})`;
    parentPort?.postMessage({ seed, checked: book.checked, broken } satisfies Report);
  }
}

async function search(): Promise<void> {
  const type = 'string' as const;
  const { values } = parseArgs({ options: { minutes: { type }, seed: { type } } });
  const [minutes, seed] = [Number(values.minutes ?? 30), Number(values.seed ?? Date.now() % 2 ** 32) >>> 0];
  if (!(minutes > 0)) throw new Error('Usage: npm run fuzz -- [--minutes 30] [--seed N]');
  const failed: number[] = [];
  await watch({ seed, endsAt: Date.now() + minutes * 60_000 }, failed);
  process.stdout.write(failed.length === 0 ? 'Nothing failed.\n' : `Failed seeds: ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Runs a thread until its time is up, and begins another with the next seed if it hangs or breaks down. */
async function watch(task: Task, failed: number[]): Promise<void> {
  const checked = new LawBook();
  let [{ seed }, done, saidAt] = [task, 0, Date.now()];
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const fail = (why: string) => {
    failed.push(seed);
    say(`\nseed ${seed} breaks ${why}\n`);
  };
  say(`Fuzzing from seed ${seed}`);
  while (Date.now() < task.endsAt) {
    const worker = new Worker(new URL(import.meta.url), { workerData: { ...task, seed } });
    const hangs = setTimeout(() => {
      fail(`always-ends: nothing for ${silence} ms`);
      void worker.terminate();
    }, silence);
    worker.on('error', (error) => fail(`typed-errors: the thread broke down: ${error.stack}`));
    worker.on('message', (report: Report) => {
      seed = report.seed;
      hangs.refresh();
      if (report.broken !== undefined) fail(report.broken);
      if (report.checked === undefined) return;
      done += 1;
      checked.add(report.checked);
      if (Date.now() - saidAt < progressEvery) return;
      saidAt = Date.now();
      say(`${done} runs, at seed ${seed}, ${failed.length} failed`);
    });
    await new Promise((resolve) => worker.on('exit', resolve));
    clearTimeout(hangs);
    seed = (seed + 1) >>> 0;
  }
  for (const law of lawNames) say(`${law.padEnd(26)} ${checked.checked.get(law) ?? 'never put to the test'}`);
}
