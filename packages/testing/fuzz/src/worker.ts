import { parentPort, workerData } from 'node:worker_threads';
import { loadCounters } from './counter.js';
import { type FuzzerName, fuzzers } from './fuzzers.js';
import { LawBook } from './laws.js';

/** The task of a worker: run seeds from a first one on, one by one, until it is told to stop. */
export interface Task {
  readonly fuzzer: FuzzerName;
  readonly seed: number;
  /** The distance between two seeds of this worker. */
  readonly stride: number;
  readonly count: number;
}

/** What became of a seed: how often each law was tested, and the law that it broke; made small if it is one of the first to break it. */
export interface Report {
  readonly seed: number;
  readonly checked: ReadonlyMap<string, number>;
  readonly law: string | undefined;
  readonly explanation: string | undefined;
}

/** The number of failures of each law that are made small. Further ones are only counted. */
const explainedPerLaw = 3;

if (parentPort !== null) {
  const { fuzzer: name, seed: first, stride, count } = workerData as Task;
  const fuzzer = fuzzers[name];
  const broken = new Map<string, number>();
  await loadCounters();
  for (let done = 0; done < count; done += 1) {
    const seed = (first + done * stride) >>> 0;
    const book = new LawBook();
    const failure = await fuzzer.failureOf(seed, book);
    const times = broken.get(failure?.law ?? '') ?? 0;
    if (failure !== undefined) broken.set(failure.law, times + 1);
    const explanation = failure && times < explainedPerLaw ? await fuzzer.explain(seed, failure) : undefined;
    const report: Report = { seed, checked: book.checked, law: failure?.law, explanation };
    parentPort.postMessage(report);
  }
}
