import type { Message, MessageId } from '../transcript/message.js';
import { reservedIds, type TranscriptMessage } from '../transcript/transcript.js';
import type { DropCallsEdit, MergeEdit, ResolvedEdit } from './edit.js';
import { mergedMessage, withoutCalls } from './edited-message.js';
import {
  asItIs,
  type CountMessage,
  type Marker,
  type Presenter,
  type Removal,
  type SentMessage,
  type ViewEntry,
} from './view-entry.js';

/** What the model is sent: transcript + edits. Every edit makes a new view; only `append` extends one in place. */
export class View {
  readonly entries: ViewEntry[] = [];
  readonly removed: ReadonlyMap<MessageId, Removal>;
  /** The line among the entries; its tokens are none of the view's. */
  readonly marker: Marker | undefined;
  tokens = 0;
  toolCalls = 0;
  estimates = 0;
  /** Equal where what a next message would stand behind is equal; see `Presenter`. */
  prefix: number;

  constructor(
    readonly presenter: Presenter = asItIs,
    entries: readonly ViewEntry[] = [],
    removed: ReadonlyMap<MessageId, Removal> = new Map(),
  ) {
    const presented = presenter.present(entries, removed);
    for (const entry of presented.entries) this.#push(entry);
    this.removed = removed;
    this.marker = presented.marker;
    this.prefix = presented.prefix;
  }

  /** The messages to send. */
  messages(): readonly Message[] {
    return this.sent().map(({ message }) => message);
  }

  /** The messages to send, with their tokens; the marker has no id. */
  sent(): SentMessage[] {
    const sent: SentMessage[] = [];
    this.entries.forEach(({ id, sent: message, tokens }, position) => {
      if (this.marker?.position === position) sent.push(this.marker);
      if (message !== undefined) sent.push({ id, message, tokens });
    });
    if (this.marker !== undefined && this.marker.position >= this.entries.length) sent.push(this.marker);
    return sent;
  }

  /** Tokens of all that is sent of it. */
  get sentTokens(): number {
    return this.tokens + (this.marker?.tokens ?? 0);
  }

  append({ id, message, exchange }: TranscriptMessage, count: CountMessage): void {
    const counted = count(message);
    const { entry, prefix } = this.presenter.next(
      { id, message, sent: message, exchange, origins: [id], ...counted },
      this.prefix,
    );
    this.#push(entry);
    this.prefix = prefix;
  }

  #push(entry: ViewEntry): void {
    this.entries.push(entry);
    this.tokens += entry.tokens;
    this.toolCalls += entry.toolCalls;
    if (entry.estimated) this.estimates += 1;
  }

  /** The same view, made again: one that `append` to this one does not reach, presented as holds now. */
  copy(): View {
    return new View(this.presenter, this.entries, this.removed);
  }

  /** The same view with every message counted again. */
  recount(count: CountMessage): View {
    const counted = this.entries.map((entry) =>
      entry.sent === undefined ? entry : { ...entry, ...count(entry.sent) },
    );
    return new View(this.presenter, counted, this.removed);
  }

  static of(
    entries: readonly ViewEntry[],
    removed: ReadonlyMap<MessageId, Removal>,
    presenter?: Presenter,
  ): View {
    return new View(presenter, entries, removed);
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
  readonly #presenter: Presenter;
  #length: number;

  constructor(
    view: View,
    readonly count: CountMessage,
  ) {
    this.#entries = [...view.entries];
    this.#removed = new Map(view.removed);
    this.#length = view.entries.length;
    this.#presenter = view.presenter;
    view.entries.forEach((entry, position) => {
      this.#position.set(entry.id, position);
      this.#exchangeSize.set(entry.exchange, this.exchangeSize(entry.exchange) + 1);
      if (entry.origins.length !== 1 || entry.origins[0] !== entry.id) this.#own(entry);
    });
  }

  get length(): number {
    return this.#length;
  }

  exchangeSize(exchange: number): number {
    return this.#exchangeSize.get(exchange) ?? 0;
  }

  /** The message with this id, or the merged one that stands for it. Records made before 0.2 name a merged one without its prefix. */
  find(id: MessageId): ViewEntry | undefined {
    const position =
      this.#position.get(this.#owner.get(id) ?? id) ?? this.#position.get(`${reservedIds}${id}`);
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
      else this.replace(entry, rest, removal);
    }
  }

  replace(entry: ViewEntry, message: Message, { record, edit }: Removal): void {
    const position = this.#position.get(entry.id) as number;
    const version = `${record}.${edit}`;
    this.#entries[position] = { ...entry, message, sent: message, version, ...this.count(message) };
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
      sent: message,
      exchange: first.exchange,
      origins: ordered.flatMap((entry) => entry.origins),
      ...this.count(message),
    };
    for (const entry of entries) this.#take(entry);
    this.#entries[position] = merged;
    this.#position.set(id, position);
    this.#exchangeSize.set(merged.exchange, 1);
    this.#length += 1;
    this.#own(merged);
  }

  toView(): View {
    return View.of(
      this.#entries.filter((entry) => entry !== undefined),
      this.#removed,
      this.#presenter,
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
  }
}

/** The id of the message that edit `index` of a record puts into the view; no message of a host has one like it. */
export function mergedId(record: string, index: number): MessageId {
  return `${reservedIds}${record}.${index}`;
}

/** The ids an edit names. */
export function targetsOf(edit: ResolvedEdit): readonly MessageId[] {
  return edit.type === 'replace' ? [edit.message] : edit.messages;
}
