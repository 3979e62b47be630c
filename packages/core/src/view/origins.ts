import type { MessageId } from '../transcript/message.js';

type Range = readonly [first: number, last: number];

/** One for all: a long conversation has an entry for each of its messages. */
const none: readonly Origins[] = [];

/**
 * The messages of the transcript that an entry of the view stands for, in view order. A merged entry shares the origins
 * of its parts and knows their positions as runs, so merging again costs no time for messages merged earlier.
 */
export class Origins implements Iterable<MessageId> {
  readonly #id: MessageId | undefined;
  readonly #parts: readonly Origins[];
  /** Of a merged entry; others have one. */
  readonly #ranges: readonly Range[] | undefined;
  readonly size: number;
  readonly lowest: number;
  readonly highest: number;

  private constructor(
    id: MessageId | undefined,
    [lowest, highest]: Range,
    parts: readonly Origins[] = none,
    ranges?: readonly Range[],
  ) {
    this.#id = id;
    this.#parts = parts;
    this.#ranges = ranges;
    this.lowest = lowest;
    this.highest = highest;
    this.size = ranges?.reduce((sum, [first, last]) => sum + last - first + 1, 0) ?? highest - lowest + 1;
  }

  static of({ id, index }: { readonly id: MessageId; readonly index: number }): Origins {
    return new Origins(id, [index, index]);
  }

  static merged(parts: readonly Origins[]): Origins {
    const ranges: [number, number][] = [];
    for (const part of parts)
      for (const [first, last] of part.ranges()) {
        const before = ranges.at(-1);
        if (before?.[1] === first - 1) before[1] = last;
        else ranges.push([first, last]);
      }
    const lowest = ranges.reduce((least, [first]) => Math.min(least, first), Infinity);
    const highest = ranges.reduce((most, [, last]) => Math.max(most, last), -1);
    return new Origins(undefined, [lowest, highest], parts, ranges);
  }

  /** True for the origins of a single message that was not merged. */
  isOnly(id: MessageId): boolean {
    return this.#id === id;
  }

  /** True if some of the messages were said before a position of the transcript, and some after it. */
  surrounds(position: number): boolean {
    return this.lowest < position && position < this.highest;
  }

  /** The ids. Takes time proportional to their number. */
  *[Symbol.iterator](): Iterator<MessageId> {
    const waiting: Origins[] = [this];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.#id !== undefined) yield next.#id;
      for (let at = next.#parts.length - 1; at >= 0; at -= 1) waiting.push(next.#parts[at] as Origins);
    }
  }

  ranges(): [number, number][] {
    return this.#ranges?.map(([first, last]) => [first, last]) ?? [[this.lowest, this.highest]];
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
