interface Entry<T> {
  readonly said: T;
  readonly answers: Set<T>;
  readonly answered: Set<string>;
}

/** How a result met its call: `late` when something else was said in between. */
export type Arrival = 'in-time' | 'late' | 'twice' | 'without-call';

/**
 * What was said, in order, with every tool result behind its call. Files hold results in the order of their arrival;
 * providers were sent them right after the message with the call.
 */
export class Timeline<T> {
  readonly #entries: Entry<T>[] = [];
  readonly #entryOf = new Map<T, Entry<T>>();
  readonly #callers = new Map<string, Entry<T>>();

  get length(): number {
    return this.#entries.length;
  }

  /** Adds what opens the calls with these ids. A call of the same id in an earlier message can't be answered any more. */
  say(said: T, callIds: readonly string[] = []): void {
    const entry = { said, answers: new Set<T>(), answered: new Set<string>() };
    this.#entries.push(entry);
    this.#entryOf.set(said, entry);
    for (const id of callIds) this.#callers.set(id, entry);
  }

  /** What holds the call, where one does. */
  callerOf(callId: string): T | undefined {
    return this.#callers.get(callId)?.said;
  }

  /** Adds calls to what was said before. */
  open(said: T, callIds: readonly string[]): void {
    const entry = this.#entryOf.get(said);
    if (entry === undefined) return;
    for (const id of callIds) this.#callers.set(id, entry);
  }

  /** Places a result behind its call; one that comes `twice` or `without-call` is not taken. */
  answer(callId: string, result: T): Arrival {
    const entry = this.#callers.get(callId);
    if (entry === undefined) return 'without-call';
    if (entry.answered.has(callId)) return 'twice';
    entry.answered.add(callId);
    entry.answers.add(result);
    return entry === this.#entries.at(-1) ? 'in-time' : 'late';
  }

  /** Everything from the entry at this position on. */
  from(position = 0): T[] {
    return this.#entries.slice(position).flatMap(({ said, answers }) => [said, ...answers]);
  }
}
