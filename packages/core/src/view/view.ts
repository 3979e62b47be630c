import type { Message } from '../transcript/message.js';
import type { TranscriptMessage } from '../transcript/transcript.js';
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

/** A message of the transcript as it was said. */
export function entryOf(said: TranscriptMessage, count: CountMessage): ViewEntry {
  const { id, message, exchange } = said;
  return { id, message, sent: message, exchange, origins: Origins.of(said), ...count(message) };
}
