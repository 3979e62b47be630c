import type { Place } from '../conversation/findings.js';
import { type Fields, isFields, nameIn } from '../fields.js';

export interface GeminiMessage {
  readonly place: Place;
  readonly fields: Fields;
}

export interface Replaced {
  readonly place: Place;
  /** Position among the messages. */
  readonly at: number;
  readonly list: readonly GeminiMessage[];
}

/**
 * The messages after all changes. The CLI writes the whole list again when a chat is resumed and when it was compressed, and does not say
 * which: after a compression messages are missing, and others have come.
 */
export class GeminiHistory {
  readonly #messages: GeminiMessage[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #compactions: Replaced[] = [];
  /** The ids in the CLI's list. */
  #current = new Set<string>();
  /** The last list, of which the next line shows whether it stays: a resumed chat is emptied first. */
  #pending: Omit<Replaced, 'at'> | undefined;

  add(message: GeminiMessage): void {
    this.#settle();
    this.#put(message);
  }

  replace(place: Place, list: readonly GeminiMessage[]): void {
    this.#pending = { place, list };
  }

  /** Forgets a message and what came after it, and returns how many those were. A message that is not known stands for all, as in the CLI. */
  rewind(id: unknown): number {
    this.#settle();
    const index = this.#indexOf.get(String(id));
    if (index === undefined && this.#current.has(String(id))) return 0;
    const gone = this.#messages.splice(index ?? 0);
    for (const message of gone) this.#forget(idOf(message));
    return gone.length;
  }

  /** The messages when nothing follows. */
  settled(): { readonly messages: readonly GeminiMessage[]; readonly compactions: readonly Replaced[] } {
    this.#settle();
    return { messages: this.#messages, compactions: this.#compactions };
  }

  #settle(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const ids = new Set(pending.list.map(idOf));
    const gone = [...this.#current].some((id) => !ids.has(id));
    const fresh = pending.list.filter((message) => !this.#indexOf.has(idOf(message)) && !isCopy(message));
    if (!gone) for (const message of pending.list) if (fresh.includes(message)) this.#put(message);
    if (!gone || fresh.length === 0) return;
    this.#compactions.push({ ...pending, at: this.#messages.length });
    this.#current = ids;
  }

  #put(whole: GeminiMessage): void {
    const message = sentTypes.has(whole.fields.type) ? whole : outline(whole);
    const id = idOf(message);
    const index = this.#indexOf.get(id);
    if (index !== undefined) this.#messages[index] = message;
    else {
      if (id !== '') this.#indexOf.set(id, this.#messages.length);
      this.#messages.push(message);
    }
    this.#current.add(id);
  }

  #forget(id: string): void {
    this.#indexOf.delete(id);
    this.#current.delete(id);
  }
}

/** Types of messages that go to the model. */
const sentTypes: ReadonlySet<unknown> = new Set(['user', 'gemini']);

/** What a message that is skipped needs to keep. */
function outline({ place, fields }: GeminiMessage): GeminiMessage {
  return { place, fields: { id: fields.id, type: fields.type } };
}

function idOf({ fields }: GeminiMessage): string {
  return nameIn(fields, 'id') ?? '';
}

/** True for the results of a message as a list repeats them. */
function isCopy({ fields }: GeminiMessage): boolean {
  const { content } = fields;
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((part) => isFields(part) && isFields(part.functionResponse))
  );
}
