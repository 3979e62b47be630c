import { inspect, isDeepStrictEqual } from 'node:util';
import type { ContextManager } from '@ctx/core';
import type { LawBook } from './laws.js';
import type { Result } from './perform.js';
import type { Subject } from './subject.js';

/** The most characters of a snapshot for each stage of a record without its edits, and for everything apart from messages and records. */
const stageRoom = 160_000;
const otherRoom = 20_000;

/** Checks that a snapshot can be written, and that everything apart from messages and edits is small. Returns it as it is read again. */
export function checkSnapshot(book: LawBook, manager: ContextManager): unknown {
  const snapshot = manager.snapshot();
  let text: string;
  try {
    text = JSON.stringify(snapshot);
  } catch (error) {
    book.check('snapshot-small', `it cannot be written: ${String(error)}`);
    throw error;
  }
  const sizeOf = (value: unknown) => JSON.stringify(value).length;
  const messages = sizeOf(snapshot.messages);
  for (const record of snapshot.records) {
    const size = sizeOf(record) - sizeOf(record.edits) - sizeOf(record.rejected);
    book.check(
      'snapshot-small',
      size <= stageRoom * (record.stages.length + 1)
        ? undefined
        : `${record.id} has ${size} characters beside its edits`,
    );
  }
  const other = text.length - messages - sizeOf(snapshot.records);
  book.check(
    'snapshot-small',
    other <= otherRoom + 2 * messages ? undefined : `${other} characters beside messages and records`,
  );
  return JSON.parse(text);
}

/** Checks that a restored manager shows the same as the original. */
export function checkRestored(book: LawBook, before: Subject, { manager: other }: Subject): void {
  const { manager: one } = before;
  // If asking for a view counts as sending it, asking would change the state that is compared.
  const views = before.setup.tells ? [one.view(), other.view()] : [];
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));
  const compare = (name: string, before: unknown, after: unknown) =>
    book.check(
      'restore-same-state',
      isDeepStrictEqual(plain(before), plain(after))
        ? undefined
        : `${name} differs: ${difference(plain(before), plain(after))}`,
    );
  compare('view()', views[0], views[1]);
  compare('transcript', one.transcript, other.transcript);
  compare('history', one.history, other.history);
  compare('simplifications', one.simplifications, other.simplifications);
  compare('stats()', one.stats(), other.stats());
  compare('metrics()', one.metrics(), other.metrics());
  compare('budget()', one.budget(), other.budget());
  compare('status()', one.status(), other.status());
  compare('willCompress()', one.willCompress(), other.willCompress());
  compare('snapshot()', one.snapshot(), other.snapshot());
  compare('level', one.level, other.level);
  compare('epoch', one.epoch, other.epoch);
}

/** The difference in what two managers with the same state did; undefined if there is none. */
export function reactionProblem(
  subjects: readonly Subject[],
  results: readonly Result[],
): string | undefined {
  const [one, other] = subjects as [Subject, Subject];
  const summaries = results.map(({ value, error }) => ({
    value,
    error: error === undefined ? undefined : String(error),
  }));
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));
  for (const [name, pair] of Object.entries({
    result: summaries,
    stats: [one.manager.stats(), other.manager.stats()],
    metrics: [one.manager.metrics(), other.manager.metrics()],
    history: [one.manager.history, other.manager.history],
    simplifications: [one.manager.simplifications, other.manager.simplifications],
    willCompress: [one.manager.willCompress(), other.manager.willCompress()],
    snapshot: [one.manager.snapshot(), other.manager.snapshot()],
  })) {
    const [before, after] = pair.map(plain);
    if (!isDeepStrictEqual(before, after)) return `${name} differs: ${difference(before, after)}`;
  }
  return undefined;
}

/** The first place where two values of JSON differ. */
export function difference(before: unknown, after: unknown, place = ''): string {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return `${place || 'value'}: ${inspect(before).slice(0, 120)} became ${inspect(after).slice(0, 120)}`;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [(before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key]];
    if (!isDeepStrictEqual(one, other)) return difference(one, other, `${place}.${key}`);
  }
  return place;
}
