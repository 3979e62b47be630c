interface Entry<T> {
  readonly said: T;
  /** By the ids of their calls. */
  readonly answers: Map<string, T>;
}

/** How a result found its call. */
export type Arrival = 'placed' | 'twice' | 'without-call';

/**
 * Everything that was said, in order, with every tool result after its call. Files hold results in the order in which they arrived, but
 * providers got them right after the message with the call.
 */
export class Timeline<T> {
  readonly #entries: Entry<T>[] = [];
  readonly #entryOf = new Map<T, Entry<T>>();
  readonly #callers = new Map<string, Entry<T>>();

  get length(): number {
    return this.#entries.length;
  }

  /** Adds an entry that opens the calls with these ids. A call of the same id in an earlier message can't be answered any more. */
  say(said: T, callIds: readonly string[] = []): void {
    const entry: Entry<T> = { said, answers: new Map() };
    this.#entries.push(entry);
    this.#entryOf.set(said, entry);
    for (const id of callIds) this.#callers.set(id, entry);
  }

  /** The entry with the call, if there is one. */
  callerOf(callId: string): T | undefined {
    return this.#callers.get(callId)?.said;
  }

  /** Adds calls to an earlier entry. */
  open(said: T, callIds: readonly string[]): void {
    const entry = this.#entryOf.get(said);
    if (entry === undefined) return;
    for (const id of callIds) this.#callers.set(id, entry);
  }

  /** Places a result after its call. A result that comes `twice` or `without-call` is not accepted. */
  answer(callId: string, result: T): Arrival {
    const entry = this.#callers.get(callId);
    if (entry === undefined) return 'without-call';
    if (entry.answers.has(callId)) return 'twice';
    entry.answers.set(callId, result);
    return 'placed';
  }

  /** Everything from the entry at one position up to another. */
  from(position = 0, end?: number): T[] {
    return this.#entries
      .slice(position, end)
      .flatMap(({ said, answers }) => [said, ...new Set(answers.values())]);
  }
}
