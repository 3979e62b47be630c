import { finish } from '../base/slices.js';
import type { Message, MessageId } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
import { type Dropped, nothingDropped, Origins } from './origins.js';
import {
  asItIs,
  type CountMessage,
  entryWith,
  type Marker,
  type Presented,
  type Presenter,
  type SentMessage,
  type ViewEntry,
} from './view-entry.js';

/** The messages the model is sent: transcript + edits. Every edit makes a new view. Only `append` extends a view in place. */
export class View {
  readonly entries: ViewEntry[] = [];
  /** The line among the entries. The view's tokens do not include it. */
  readonly marker: Marker | undefined;
  tokens = 0;
  toolCalls = 0;
  imageTokens = 0;
  estimates = 0;
  /** How many messages of the transcript the view accounts for, shown or dropped. */
  said: number;
  /** Equal for views after which a next message would follow the same content; see `Presenter`. */
  prefix: number;
  /** Positions of the entries by id, as far as they were looked up. */
  readonly #positions = new Map<MessageId, number>();
  #indexed = 0;

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

  positionOf(id: MessageId): number | undefined {
    for (; this.#indexed < this.entries.length; this.#indexed += 1)
      this.#positions.set((this.entries[this.#indexed] as ViewEntry).id, this.#indexed);
    return this.#positions.get(id);
  }

  messages(): readonly Message[] {
    return this.sent().map(({ message }) => message);
  }

  sent(): SentMessage[] {
    const sent: SentMessage[] = [];
    const { entries, marker } = this;
    for (let position = 0; position < entries.length; position += 1) {
      const entry = entries[position] as ViewEntry;
      if (marker?.position === position) sent.push(marker);
      if (entry.sent === entry.message) sent.push(entry);
      else if (entry.sent !== undefined)
        sent.push({ id: entry.id, message: entry.sent, tokens: entry.tokens });
    }
    if (marker !== undefined && marker.position >= entries.length) sent.push(marker);
    return sent;
  }

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
    this.imageTokens += entry.imageTokens;
    this.said += entry.origins.size;
    if (entry.estimated) this.estimates += 1;
  }

  /** The same view built again. Later appends to this view do not affect the copy. It is presented by the current rules. */
  copy(): View {
    return new View(this.presenter, this.entries, this.dropped);
  }

  /** The view as it is now. Later appends to this view do not affect it. */
  still(): View {
    return new View(this.presenter, this.entries, this.dropped, this);
  }

  recount(count: CountMessage): View {
    const entries = this.entries.map((entry) =>
      entry.sent === undefined ? entry : { ...entry, ...count(entry.sent) },
    );
    const marker = this.marker && { ...this.marker, tokens: count(this.marker.message).tokens };
    return new View(this.presenter, entries, this.dropped, { entries, marker, prefix: this.prefix });
  }
}

/** In the place of an edit: the message was too large when it arrived. */
export const arrival = 'arrival';

export function entryOf(said: TranscriptMessage, count: CountMessage): ViewEntry {
  const { id, message, exchange, excerpt } = said;
  const place = { id, exchange, origins: new Origins([said]) };
  return entryWith(place, excerpt ?? message, excerpt && arrival, count);
}
