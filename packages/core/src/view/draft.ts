import type { Steps } from '../base/slices.js';
import type { Message, MessageId } from '../transcript/message.js';
import { type Dropped, Origins } from './origins.js';
import { View } from './view.js';
import { type CountMessage, entryWith, isUsers, type Presenter, type ViewEntry } from './view-entry.js';

/**
 * A view under construction. Edits are applied one after the other, each in time proportional to the messages it names.
 * A draft trusts its edits; gate.ts decides which may be applied.
 */
export class Draft {
  readonly #entries: (ViewEntry | undefined)[];
  readonly #view: View;
  readonly #merged = new Map<MessageId, number>();
  readonly #presenter: Presenter;
  #owners: Map<MessageId, MessageId> | undefined;
  /** Built when it is needed: an edit that keeps its message in place does not ask. */
  #exchangeSize: Map<number, number> | undefined;
  #dropped: Dropped;
  length: number;

  constructor(
    view: View,
    readonly count: CountMessage,
  ) {
    this.#view = view;
    this.#entries = [...view.entries];
    this.#dropped = view.dropped;
    this.length = view.entries.length;
    this.#presenter = view.presenter;
  }

  exchangeSize(exchange: number): number {
    if (this.#exchangeSize === undefined) {
      this.#exchangeSize = new Map();
      for (const entry of this.#entries) this.#resize(entry?.exchange, 1);
    }
    return this.#exchangeSize.get(exchange) ?? 0;
  }

  #resize(exchange: number | undefined, by: number): void {
    if (exchange !== undefined)
      this.#exchangeSize?.set(exchange, (this.#exchangeSize.get(exchange) ?? 0) + by);
  }

  /** The message with this id, or the merged message that stands for it. */
  find(id: MessageId): ViewEntry | undefined {
    const position = this.#positionOf(id) ?? this.#positionOf(this.#ownerOf(id));
    return position === undefined ? undefined : this.#entries[position];
  }

  /** Another message may have been put in the place of one that left. */
  #positionOf(id: MessageId): number | undefined {
    const position = this.#merged.get(id) ?? this.#view.positionOf(id);
    return position !== undefined && this.#entries[position]?.id === id ? position : undefined;
  }

  /** The first of the user's messages that was said between the first and the last of these, and is none of them. */
  userMessageWithin(entries: readonly ViewEntry[]): ViewEntry | undefined {
    const own = new Set(entries);
    const all = Origins.merged(entries.map(({ origins }) => origins));
    return this.#entries.find(
      (entry) =>
        entry !== undefined &&
        isUsers(entry) &&
        entry.origins.isOnly(entry.id) &&
        all.surrounds(entry.origins.lowest) &&
        !own.has(entry),
    );
  }

  drop(entries: readonly ViewEntry[]): void {
    for (const entry of entries) {
      this.#take(entry);
      const { count, first = Infinity, last = -1 } = this.#dropped;
      const { size, lowest, highest } = entry.origins;
      this.#dropped = {
        count: count + size,
        first: Math.min(first, lowest),
        last: Math.max(last, highest),
      };
    }
  }

  /** @param version names the edit that replaces the message */
  replace(entry: ViewEntry, message: Message, version: string): void {
    const position = this.#positionOf(entry.id) as number;
    this.#entries[position] = entryWith(entry, message, version, this.count);
  }

  /** Puts one message in place of several, at the position of the first or the last. */
  merge(
    entries: readonly ViewEntry[],
    message: Message,
    { id, placement }: { readonly id: MessageId; readonly placement: 'first' | 'last' },
  ): void {
    const ordered = entries
      .map((entry) => ({ entry, position: this.#positionOf(entry.id) as number }))
      .sort((a, b) => a.position - b.position);
    const { position } = ordered.at(placement === 'first' ? 0 : -1) as (typeof ordered)[number];
    const origins = Origins.merged(ordered.map(({ entry }) => entry.origins));
    const { exchange } = (ordered[0] as (typeof ordered)[number]).entry;
    const merged = entryWith({ id, exchange, origins }, message, undefined, this.count);
    for (const one of ordered) this.#take(one.entry, one.position);
    this.#entries[position] = merged;
    this.#merged.set(id, position);
    this.#resize(merged.exchange, 1);
    this.length += 1;
    this.#owners = undefined;
  }

  *toView(): Steps<View> {
    const entries = this.#entries.filter((entry) => entry !== undefined);
    const presented = yield* this.#presenter.present(entries, this.#dropped);
    return new View(this.#presenter, entries, this.#dropped, presented);
  }

  /**
   * The id of the merged message that contains this one. Rarely needed, so the map is built on first use: that takes
   * time for every merged message.
   */
  #ownerOf(id: MessageId): MessageId {
    if (this.#owners === undefined) {
      this.#owners = new Map();
      for (const entry of this.#entries) {
        if (entry === undefined || entry.origins.isOnly(entry.id)) continue;
        for (const origin of entry.origins.messages) this.#owners.set(origin.id, entry.id);
      }
    }
    return this.#owners.get(id) ?? id;
  }

  #take(entry: ViewEntry, position = this.#positionOf(entry.id) as number): void {
    this.#entries[position] = undefined;
    this.#resize(entry.exchange, -1);
    this.length -= 1;
  }
}
