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

/** The reports of a worker: its progress after some seeds, and each failure at once. */
export type Report =
  | { readonly type: 'begin'; readonly seed: number }
  | { readonly type: 'progress'; readonly done: number; readonly checked: ReadonlyMap<string, number> }
  | {
      readonly type: 'failure';
      readonly seed: number;
      readonly law: string;
      readonly detail: string;
      readonly explanation: string | undefined;
    }
  | { readonly type: 'end' };

/** The number of seeds between two reports. Requests in a large window take seconds, and who reports nothing for long counts as hanging. */
const reportEvery: Readonly<Record<FuzzerName, number>> = { histories: 20, requests: 1 };
/** The number of failures of each law that are made small. Further ones are only counted. */
const explainedPerLaw = 3;

if (parentPort !== null) {
  const tell = (report: Report) => parentPort?.postMessage(report);
  const { fuzzer: name, seed: first, stride, count } = workerData as Task;
  const fuzzer = fuzzers[name];
  const explained = new Map<string, number>();
  await loadCounters();
  let book = new LawBook();
  let since = 0;
  for (let done = 0; done < count; done += 1) {
    const seed = (first + done * stride) >>> 0;
    if (since === 0) tell({ type: 'begin', seed });
    const failure = await fuzzer.failureOf(seed, book);
    since += 1;
    if (failure !== undefined) {
      const times = explained.get(failure.law) ?? 0;
      explained.set(failure.law, times + 1);
      const explanation = times < explainedPerLaw ? await fuzzer.explain(seed, failure) : undefined;
      tell({ type: 'failure', seed, law: failure.law, detail: failure.detail, explanation });
    }
    if (since < reportEvery[name] && done < count - 1) continue;
    tell({ type: 'progress', done: since, checked: book.checked });
    book = new LawBook();
    since = 0;
  }
  tell({ type: 'end' });
}
