import type { MessageId } from '../transcript/message.js';

/**
 * The messages of the transcript that an entry of the view stands for, in view order. A merged entry shares the origins
 * of its parts, so merging again costs no time for messages merged earlier.
 */
export class Origins implements Iterable<MessageId> {
  readonly #id: MessageId | undefined;
  readonly #parts: readonly Origins[];
  /** The number of messages. */
  readonly size: number;
  /** The lowest position in the transcript. */
  readonly lowest: number;
  /** The highest position in the transcript. */
  readonly highest: number;

  private constructor(
    id: MessageId | undefined,
    parts: readonly Origins[],
    size: number,
    at: readonly [number, number],
  ) {
    this.#id = id;
    this.#parts = parts;
    this.size = size;
    [this.lowest, this.highest] = at;
  }

  /** The origins of a message that stands for itself. */
  static of({ id, index }: { readonly id: MessageId; readonly index: number }): Origins {
    return new Origins(id, [], 1, [index, index]);
  }

  /** The origins of neighbouring messages that are not in memory: their ids are not known. */
  static gone(first: number, last: number): Origins {
    return new Origins(undefined, [], last - first + 1, [first, last]);
  }

  static merged(parts: readonly Origins[]): Origins {
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const lowest = parts.reduce((least, part) => Math.min(least, part.lowest), Infinity);
    const highest = parts.reduce((most, part) => Math.max(most, part.highest), -1);
    return new Origins(undefined, parts, size, [lowest, highest]);
  }

  /** True for the origins of a single message that was not merged. */
  isOnly(id: MessageId): boolean {
    return this.#id === id;
  }

  /** The ids of those in memory. Takes time proportional to their number. */
  *[Symbol.iterator](): Iterator<MessageId> {
    for (const leaf of this.#leaves()) if (leaf.#id !== undefined) yield leaf.#id;
  }

  /** True if some of the messages are not in memory. */
  get hasGone(): boolean {
    return [...this].length < this.size;
  }

  /** Runs of adjacent messages in the transcript, as first and last positions. */
  ranges(): [number, number][] {
    const ranges: [number, number][] = [];
    for (const { lowest, highest } of this.#leaves()) {
      const last = ranges.at(-1);
      if (last?.[1] === lowest - 1) last[1] = highest;
      else ranges.push([lowest, highest]);
    }
    return ranges;
  }

  *#leaves(): Generator<Origins> {
    const waiting: Origins[] = [this];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.#parts.length === 0) yield next;
      for (let at = next.#parts.length - 1; at >= 0; at -= 1) waiting.push(next.#parts[at] as Origins);
    }
  }

  /**
   * Removes these origins from a set: themselves, or all the origins they were merged from. False if some of them are
   * missing, for example because they were removed before.
   */
  takeFrom(known: Set<Origins>): boolean {
    if (known.delete(this)) return true;
    return this.#parts.length > 0 && this.#parts.every((part) => part.takeFrom(known));
  }
}
