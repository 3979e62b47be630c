import type { Message, MessageId } from '../transcript/message.js';
import { reservedIds, type TranscriptMessage } from '../transcript/transcript.js';
import type { DropCallsEdit, MergeEdit, ResolvedEdit } from './edit.js';
import { mergedMessage, withoutCalls } from './edited-message.js';
import { Origins } from './origins.js';
import {
  asItIs,
  type CountMessage,
  type Dropped,
  type Marker,
  nothingDropped,
  type Presenter,
  type SentMessage,
  type ViewEntry,
} from './view-entry.js';

/** What the model is sent: transcript + edits. Every edit makes a new view; only `append` extends one in place. */
export class View {
  readonly entries: ViewEntry[] = [];
  /** The line among the entries; its tokens are none of the view's. */
  readonly marker: Marker | undefined;
  tokens = 0;
  toolCalls = 0;
  estimates = 0;
  /** Length of the transcript that it shows: of what is in it and what was dropped from it. */
  said: number;
  /** Equal where what a next message would stand behind is equal; see `Presenter`. */
  prefix: number;

  constructor(
    readonly presenter: Presenter = asItIs,
    entries: readonly ViewEntry[] = [],
    readonly dropped: Dropped = nothingDropped,
  ) {
    this.said = dropped.count;
    const presented = presenter.present(entries, dropped);
    for (const entry of presented.entries) this.#push(entry);
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

  append(said: TranscriptMessage, count: CountMessage): void {
    const { entry, prefix } = this.presenter.next(entryOf(said, count), this.prefix);
    this.#push(entry);
    this.prefix = prefix;
  }

  #push(entry: ViewEntry): void {
    this.entries.push(entry);
    this.tokens += entry.tokens;
    this.toolCalls += entry.toolCalls;
    this.said += entry.origins.size;
    if (entry.estimated) this.estimates += 1;
  }

  /** The same view, made again: one that `append` to this one does not reach, presented as holds now. */
  copy(): View {
    return new View(this.presenter, this.entries, this.dropped);
  }

  /** What it was before the message at this position of the transcript was appended to it. */
  until(length: number): View {
    if (this.said <= length) return this.copy();
    return new View(
      this.presenter,
      this.entries.filter(({ origins }) => origins.lowest < length),
      this.dropped,
    );
  }

  /** The same view with every message counted again. */
  recount(count: CountMessage): View {
    const counted = this.entries.map((entry) =>
      entry.sent === undefined ? entry : { ...entry, ...count(entry.sent) },
    );
    return new View(this.presenter, counted, this.dropped);
  }

  static of(entries: readonly ViewEntry[], dropped?: Dropped, presenter?: Presenter): View {
    return new View(presenter, entries, dropped);
  }
}

/**
 * A view under construction: edits are applied one after the other, each in time proportional to what it names.
 * It trusts its edits; gate.ts decides which may be applied.
 */
export class Draft {
  readonly #entries: (ViewEntry | undefined)[];
  readonly #position = new Map<MessageId, number>();
  readonly #exchangeSize = new Map<number, number>();
  readonly #presenter: Presenter;
  #owners: Map<MessageId, MessageId> | undefined;
  #dropped: Dropped;
  #length: number;

  constructor(
    view: View,
    readonly count: CountMessage,
  ) {
    this.#entries = [...view.entries];
    this.#dropped = view.dropped;
    this.#length = view.entries.length;
    this.#presenter = view.presenter;
    view.entries.forEach((entry, position) => {
      this.#position.set(entry.id, position);
      this.#exchangeSize.set(entry.exchange, this.exchangeSize(entry.exchange) + 1);
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
    const position = this.#position.get(id) ?? this.#position.get(this.#ownerOf(id));
    return position === undefined ? undefined : this.#entries[position];
  }

  drop(entries: readonly ViewEntry[]): void {
    for (const entry of entries) {
      this.#take(entry);
      const { count, first = Number.POSITIVE_INFINITY } = this.#dropped;
      const { size, lowest } = entry.origins;
      this.#dropped = { count: count + size, first: Math.min(first, lowest) };
    }
  }

  /** @param version which edit does it */
  dropCalls(entries: readonly ViewEntry[], { calls }: DropCallsEdit, version: string): void {
    for (const entry of entries) {
      const rest = withoutCalls(entry.message, calls);
      if (rest.content.length === 0) this.drop([entry]);
      else this.replace(entry, rest, version);
    }
  }

  /** @param version which edit does it */
  replace(entry: ViewEntry, message: Message, version: string): void {
    const position = this.#position.get(entry.id) as number;
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
      origins: Origins.merged(ordered.map((entry) => entry.origins)),
      ...this.count(message),
    };
    for (const entry of entries) this.#take(entry);
    this.#entries[position] = merged;
    this.#position.set(id, position);
    this.#exchangeSize.set(merged.exchange, 1);
    this.#length += 1;
    this.#owners = undefined;
  }

  toView(): View {
    const entries = this.#entries.filter((entry) => entry !== undefined);
    return new View(this.#presenter, entries, this.#dropped);
  }

  /** The id of the merged message that this one went into. Seldom asked for, and made when it is: it takes time for everything merged. */
  #ownerOf(id: MessageId): MessageId {
    if (this.#position.has(`${reservedIds}${id}`)) return `${reservedIds}${id}`;
    if (this.#owners === undefined) {
      this.#owners = new Map();
      for (const entry of this.#entries) {
        if (entry === undefined || entry.origins.isOnly(entry.id)) continue;
        for (const origin of entry.origins) this.#owners.set(origin, entry.id);
      }
    }
    return this.#owners.get(id) ?? id;
  }

  #take(entry: ViewEntry): void {
    this.#entries[this.#position.get(entry.id) as number] = undefined;
    this.#position.delete(entry.id);
    this.#exchangeSize.set(entry.exchange, this.exchangeSize(entry.exchange) - 1);
    this.#length -= 1;
  }
}

/** A message of the transcript as it was said. */
export function entryOf(said: TranscriptMessage, count: CountMessage): ViewEntry {
  const { id, message, exchange } = said;
  return { id, message, sent: message, exchange, origins: Origins.of(said), ...count(message) };
}

/** The id of the message that edit `index` of a record puts into the view; no message of a host has one like it. */
export function mergedId(record: string, index: number): MessageId {
  return `${reservedIds}${record}.${index}`;
}

/** The ids an edit names. */
export function targetsOf(edit: ResolvedEdit): readonly MessageId[] {
  return edit.type === 'replace' ? [edit.message] : edit.messages;
}
