/** The laws that must hold whatever happens, written independently from the guarantees in the README. */
export const lawNames = [
  'sendable',
  'system-stays',
  'pinned-stays',
  'newest-user-stays',
  'task-stays',
  'unread-stays',
  'order',
  'same-object',
  'edited-as-recorded',
  'accounted',
  'marker',
  'fewer-tokens',
  'min-messages',
  'append-only',
  'reasoning',
  'reasoning-bound',
  'input-untouched',
  'undo',
  'rewind',
  'recount',
  'fits',
  'target',
  'record-true',
  'overflow-honest',
  'nothing-without-record',
  'gate-suffices',
  'queries-change-nothing',
  'restore-same-state',
  'restore-same-reactions',
  'snapshot-small',
  'typed-errors',
  'no-unhandled-rejection',
  'always-ends',
] as const;
export type LawName = (typeof lawNames)[number];

export class LawBroken extends Error {
  override readonly name = 'LawBroken';

  constructor(
    readonly law: LawName,
    readonly detail: string,
  ) {
    super(`${law}: ${detail}`);
  }
}

/** Counts how often each law was really tested, which means that its subject was present. */
export class LawBook {
  readonly checked = new Map<LawName, number>();

  /** @throws LawBroken with the problem, if there is one */
  check(law: LawName, problem: string | undefined): void {
    this.checked.set(law, (this.checked.get(law) ?? 0) + 1);
    if (problem !== undefined) throw new LawBroken(law, problem);
  }

  /** @throws LawBroken with the problem if it is not so */
  holds(law: LawName, isSo: boolean, problem: string): void {
    this.check(law, isSo ? undefined : problem);
  }

  /** Checks each item. An empty list does not count as a test. */
  each<T>(law: LawName, items: Iterable<T>, problemOf: (item: T) => string | undefined): void {
    for (const item of items) this.check(law, problemOf(item));
  }

  add(other: ReadonlyMap<LawName, number>): void {
    for (const [law, times] of other) this.checked.set(law, (this.checked.get(law) ?? 0) + times);
  }
}

/** Why a history failed. */
export interface Failure {
  readonly law: string;
  readonly detail: string;
  /** The position of the step after which the law was broken. */
  readonly at: number;
}
