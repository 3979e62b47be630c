import { finish, type Steps } from '../base/slices.js';
import type { Message } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import { Origins } from './origins.js';
import {
  asItIs,
  type CountMessage,
  type Dropped,
  type Marker,
  nothingDropped,
  type Presented,
  type Presenter,
  type SentMessage,
  type ViewEntry,
} from './view-entry.js';

/**
 * The messages the model is sent: transcript + edits. Every edit makes a new view. Only `append` extends a view in
 * place.
 */
export class View {
  readonly entries: ViewEntry[] = [];
  /** The line among the entries. The view's tokens do not include it. */
  readonly marker: Marker | undefined;
  tokens = 0;
  toolCalls = 0;
  estimates = 0;
  /** How many messages of the transcript the view accounts for, shown or dropped. */
  said: number;
  /** Equal for views after which a next message would follow the same content; see `Presenter`. */
  prefix: number;

  constructor(
    readonly presenter: Presenter = asItIs,
    entries: readonly ViewEntry[] = [],
    readonly dropped: Dropped = nothingDropped,
    presented: Presented = finish(presenter.present(entries, dropped)),
  ) {
    this.said = dropped.count;
    for (const entry of presented.entries) this.#push(entry);
    this.marker = presented.marker;
    this.prefix = presented.prefix;
  }

  /** The messages to send. */
  messages(): readonly Message[] {
    return this.sent().map(({ message }) => message);
  }

  /** The messages to send with their tokens. The marker has no id. */
  sent(): SentMessage[] {
    const sent: SentMessage[] = [];
    this.entries.forEach(({ id, sent: message, tokens }, position) => {
      if (this.marker?.position === position) sent.push(this.marker);
      if (message !== undefined) sent.push({ id, message, tokens });
    });
    if (this.marker !== undefined && this.marker.position >= this.entries.length) sent.push(this.marker);
    return sent;
  }

  /** Tokens of everything that is sent, including the marker. */
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

  /**
   * The same view built again. Later appends to this view do not affect the copy. It is presented by the current rules.
   */
  copy(): View {
    return new View(this.presenter, this.entries, this.dropped);
  }

  /** The view before the message at this position of the transcript was appended. */
  until(length: number): View {
    if (this.said <= length) return this.copy();
    return new View(
      this.presenter,
      this.entries.filter(({ origins }) => origins.lowest < length),
      this.dropped,
    );
  }

  /** The view as it is now. Later appends to this view do not affect it. */
  still(): View {
    return new View(this.presenter, this.entries, this.dropped, this);
  }

  /** The same view with other entries that are sent alike. */
  mapped(change: (entry: ViewEntry) => ViewEntry): View {
    const entries = this.entries.map(change);
    return new View(this.presenter, entries, this.dropped, {
      entries,
      marker: this.marker,
      prefix: this.prefix,
    });
  }

  /** The same view with every message counted again. */
  recount(count: CountMessage): View {
    const entries = this.entries.map((entry) =>
      entry.sent === undefined ? entry : { ...entry, ...count(entry.sent) },
    );
    const marker = this.marker && { ...this.marker, tokens: count(this.marker.message).tokens };
    return new View(this.presenter, entries, this.dropped, { entries, marker, prefix: this.prefix });
  }

  static of(entries: readonly ViewEntry[], dropped?: Dropped, presenter?: Presenter): View {
    return new View(presenter, entries, dropped);
  }

  /** The same in steps. */
  static *inSteps(entries: readonly ViewEntry[], dropped: Dropped, presenter: Presenter): Steps<View> {
    return new View(presenter, entries, dropped, yield* presenter.present(entries, dropped));
  }
}

/** The entry of an unedited message. */
export function entryOf(said: TranscriptMessage, count: CountMessage): ViewEntry {
  const { id, message, exchange } = said;
  return { id, message, sent: message, exchange, origins: Origins.of(said), ...count(message) };
}
