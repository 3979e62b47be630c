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
  const text = JSON.stringify(snapshot);
  const sizeOf = (value: unknown) => JSON.stringify(value).length;
  const messages = sizeOf(snapshot.messages);
  for (const record of snapshot.records) {
    const size = sizeOf(record) - sizeOf(record.edits) - sizeOf(record.rejected);
    const isSmall = size <= stageRoom * (record.stages.length + 1);
    book.holds('snapshot-small', isSmall, `${record.id} has ${size} characters beside its edits`);
  }
  const other = text.length - messages - sizeOf(snapshot.records);
  const isSmall = other <= otherRoom + 2 * messages;
  book.holds('snapshot-small', isSmall, `${other} characters beside messages and records`);
  return JSON.parse(text);
}

/** What a manager says of itself, as JSON. */
export function stateOf({ manager, setup }: Subject): Record<string, unknown> {
  // If asking for a view counts as sending it, asking would change the state that is compared.
  const view = setup.tells ? manager.view() : undefined;
  const snapshot = manager.snapshot();
  return plain({
    view,
    transcript: manager.transcript,
    history: manager.history,
    simplifications: manager.simplifications,
    stats: manager.stats(),
    budget: manager.budget(),
    status: manager.status(),
    willCompress: manager.willCompress(),
    // How far the archive is written depends on when its promises settle.
    snapshot: { ...snapshot, archive: snapshot.archive?.conversation },
    level: manager.level,
    epoch: manager.epoch,
  });
}

/** The first difference in what two managers say of themselves; undefined if there is none. */
export function stateProblem(one: Subject, other: Subject): string | undefined {
  return differenceOf(stateOf(one), stateOf(other));
}

/** The difference in what two managers with the same state did; undefined if there is none. */
export function reactionProblem(
  subjects: readonly Subject[],
  results: readonly Result[],
): string | undefined {
  const [one, other] = subjects as [Subject, Subject];
  const [ofOne, ofOther] = results.map(({ value, error }) =>
    plain({ value, error: error === undefined ? undefined : String(error) }),
  );
  return differenceOf(ofOne, ofOther) ?? stateProblem(one, other);
}

function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}

/** Where two values of JSON differ; undefined if they do not. */
export function differenceOf(one: unknown, other: unknown): string | undefined {
  return isDeepStrictEqual(one, other) ? undefined : difference(one, other);
}

/** The first place where two values of JSON differ. */
function difference(before: unknown, after: unknown, place = ''): string {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return `${place || 'value'}: ${inspect(before).slice(0, 120)} became ${inspect(after).slice(0, 120)}`;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [one, other] = [(before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key]];
    if (!isDeepStrictEqual(one, other)) return difference(one, other, `${place}.${key}`);
  }
  return place;
}
