import type { DropCallsEdit, MergeEdit, MessageId, ReplaceEdit, ResolvedEdit } from './edit.js';
import type { Message, Part } from './message.js';
import { partsOf } from './message.js';
import type { TranscriptMessage } from './transcript.js';

/** A message of the view, with the messages of the transcript that it stands for. */
export interface ViewEntry {
  readonly id: MessageId;
  readonly message: Message;
  readonly exchange: number;
  /** Ids of the transcript, in order: its own, or those merged into it. */
  readonly origins: readonly MessageId[];
  readonly tokens: number;
  readonly toolCalls: number;
  readonly estimated: boolean;
}

/** Which edit took a message of the transcript out of the view: the record's id and the edit's position in it. */
export interface Removal {
  readonly record: string;
  readonly edit: number;
}

/** A line that stands where messages were dropped. It is derived with the view and is no message of the transcript. */
export interface Marker {
  /** It stands before the entry at this position. */
  readonly position: number;
  readonly message: Message;
  readonly tokens: number;
}

export type CountMessage = (message: Message) => Pick<ViewEntry, 'tokens' | 'toolCalls' | 'estimated'>;

/** What the model is sent: transcript + edits. Every edit makes a new view; only `append` extends one in place. */
export class View {
  constructor(
    readonly entries: ViewEntry[] = [],
    readonly removed: ReadonlyMap<MessageId, Removal> = new Map(),
    public tokens = 0,
    public toolCalls = 0,
    public estimates = 0,
    public marker: Marker | undefined = undefined,
  ) {}

  /** The messages to send. */
  messages(): readonly Message[] {
    const messages = this.entries.map((entry) => entry.message);
    if (this.marker !== undefined) messages.splice(this.marker.position, 0, this.marker.message);
    return messages;
  }

  append({ id, message, exchange }: TranscriptMessage, count: CountMessage): void {
    const { tokens, toolCalls, estimated } = count(message);
    this.#push({ id, message, exchange, origins: [id], tokens, toolCalls, estimated });
  }

  #push(entry: ViewEntry): void {
    this.entries.push(entry);
    this.tokens += entry.tokens;
    this.toolCalls += entry.toolCalls;
    if (entry.estimated) this.estimates += 1;
  }

  /** A view that `append` to this one does not reach. */
  copy(): View {
    return new View(
      [...this.entries],
      this.removed,
      this.tokens,
      this.toolCalls,
      this.estimates,
      this.marker,
    );
  }

  /** The same view with every message counted again. */
  recount(count: CountMessage): View {
    return View.of(
      this.entries.map((entry) => ({ ...entry, ...count(entry.message) })),
      this.removed,
    );
  }

  static of(entries: readonly ViewEntry[], removed: ReadonlyMap<MessageId, Removal>): View {
    const view = new View([], removed);
    for (const entry of entries) view.#push(entry);
    return view;
  }
}

/**
 * A view under construction: edits are applied one after the other, each in time proportional to what it names.
 * It trusts its edits; gate.ts decides which may be applied.
 */
export class Draft {
  readonly #entries: (ViewEntry | undefined)[];
  readonly #position = new Map<MessageId, number>();
  readonly #owner = new Map<MessageId, MessageId>();
  readonly #exchangeSize = new Map<number, number>();
  readonly #removed: Map<MessageId, Removal>;
  #length: number;
  #tokens: number;

  constructor(
    view: View,
    readonly count: CountMessage,
  ) {
    this.#entries = [...view.entries];
    this.#removed = new Map(view.removed);
    this.#length = view.entries.length;
    this.#tokens = view.tokens;
    view.entries.forEach((entry, position) => {
      this.#position.set(entry.id, position);
      this.#exchangeSize.set(entry.exchange, this.exchangeSize(entry.exchange) + 1);
      if (entry.origins.length !== 1 || entry.origins[0] !== entry.id) this.#own(entry);
    });
  }

  get length(): number {
    return this.#length;
  }

  get tokens(): number {
    return this.#tokens;
  }

  exchangeSize(exchange: number): number {
    return this.#exchangeSize.get(exchange) ?? 0;
  }

  /** The message with this id, or the merged one that stands for it. */
  find(id: MessageId): ViewEntry | undefined {
    const position = this.#position.get(this.#owner.get(id) ?? id);
    return position === undefined ? undefined : this.#entries[position];
  }

  drop(entries: readonly ViewEntry[], removal: Removal): void {
    for (const entry of entries) {
      this.#take(entry);
      for (const origin of entry.origins) this.#removed.set(origin, removal);
    }
  }

  dropCalls(entries: readonly ViewEntry[], { calls }: DropCallsEdit, removal: Removal): void {
    for (const entry of entries) {
      const rest = withoutCalls(entry.message, calls);
      if (rest.content.length === 0) this.drop([entry], removal);
      else this.replace(entry, rest);
    }
  }

  replace(entry: ViewEntry, message: Message): void {
    const position = this.#position.get(entry.id) as number;
    const counted = this.count(message);
    this.#entries[position] = { ...entry, message, ...counted };
    this.#tokens += counted.tokens - entry.tokens;
  }

  merge(entries: readonly ViewEntry[], edit: MergeEdit, id: MessageId): void {
    const positionOf = (entry: ViewEntry) => this.#position.get(entry.id) as number;
    const ordered = [...entries].sort((a, b) => positionOf(a) - positionOf(b));
    const [first, last] = [ordered[0] as ViewEntry, ordered[ordered.length - 1] as ViewEntry];
    const position = positionOf(edit.placement === 'first' ? first : last);
    const message = mergedMessage(edit.text);
    const merged: ViewEntry = {
      id,
      message,
      exchange: first.exchange,
      origins: ordered.flatMap((entry) => entry.origins),
      ...this.count(message),
    };
    for (const entry of entries) this.#take(entry);
    this.#entries[position] = merged;
    this.#position.set(id, position);
    this.#exchangeSize.set(merged.exchange, 1);
    this.#length += 1;
    this.#tokens += merged.tokens;
    this.#own(merged);
  }

  toView(): View {
    return View.of(
      this.#entries.filter((entry) => entry !== undefined),
      this.#removed,
    );
  }

  #own(entry: ViewEntry): void {
    for (const origin of entry.origins) this.#owner.set(origin, entry.id);
  }

  #take(entry: ViewEntry): void {
    this.#entries[this.#position.get(entry.id) as number] = undefined;
    this.#position.delete(entry.id);
    this.#exchangeSize.set(entry.exchange, this.exchangeSize(entry.exchange) - 1);
    this.#length -= 1;
    this.#tokens -= entry.tokens;
  }
}

/** The message that a merge puts into the view. */
export function mergedMessage(text: string): Message {
  return { role: 'user', content: text, summary: true };
}

/** The message without some calls or results; itself where it has none of them. */
export function withoutCalls(message: Message, calls: readonly string[]): Message {
  const parts = partsOf(message);
  const rest = parts.filter(
    (part) => (part.type !== 'tool-call' && part.type !== 'tool-result') || !calls.includes(part.toolCallId),
  );
  return rest.length === parts.length ? message : ({ ...message, content: rest } as Message);
}

/** The id of the message that edit `index` of a record puts into the view. */
export function mergedId(record: string, index: number): MessageId {
  return `${record}.${index}`;
}

/**
 * The message with one part replaced, every other field and part untouched; undefined where that part may not be replaced so.
 */
export function replacePart(message: Message, edit: Pick<ReplaceEdit, 'part' | 'text'>): Message | undefined {
  const part = partsOf(message)[edit.part];
  if (part === undefined) return undefined;
  const replaced = shorterPart(part, edit.text);
  if (replaced === undefined) return undefined;
  if (typeof message.content === 'string') return { ...message, content: edit.text } as Message;
  return {
    ...message,
    content: message.content.map((old, index) => (index === edit.part ? replaced : old)),
  } as Message;
}

function shorterPart(part: Part, text: string): Part | undefined {
  switch (part.type) {
    case 'text':
      return { ...part, text };
    case 'image':
    case 'file':
      return { type: 'text', text };
    case 'tool-result':
      return { ...part, output: text };
    case 'tool-call': {
      const input = jsonObject(text);
      return input === undefined ? undefined : { ...part, input };
    }
    case 'reasoning':
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

function jsonObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The ids an edit names. */
export function targetsOf(edit: ResolvedEdit): readonly MessageId[] {
  return edit.type === 'replace' ? [edit.message] : edit.messages;
}

export function isSystem(entry: Pick<ViewEntry, 'message'>): boolean {
  return entry.message.role === 'system';
}
