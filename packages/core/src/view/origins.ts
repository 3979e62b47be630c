import type { MessageId } from '../transcript/message.js';

/**
 * The messages of the transcript that an entry of a view stands for, in the order of the view. What is merged shares the
 * origins of what it was merged from, so that merging takes no time for what was merged before.
 */
export class Origins implements Iterable<MessageId> {
  readonly #id: MessageId | undefined;
  readonly #parts: readonly Origins[];
  /** How many messages they are. */
  readonly size: number;
  /** The lowest position in the transcript. */
  readonly lowest: number;

  private constructor(id: MessageId | undefined, parts: readonly Origins[], size: number, lowest: number) {
    this.#id = id;
    this.#parts = parts;
    this.size = size;
    this.lowest = lowest;
  }

  /** Of a message that stands for itself. */
  static of({ id, index }: { readonly id: MessageId; readonly index: number }): Origins {
    return new Origins(id, [], 1, index);
  }

  static merged(parts: readonly Origins[]): Origins {
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    return new Origins(undefined, parts, size, Math.min(...parts.map(({ lowest }) => lowest)));
  }

  /** True for those of a message that was not merged. */
  isOnly(id: MessageId): boolean {
    return this.#id === id;
  }

  /** In time proportional to their number. */
  *[Symbol.iterator](): Iterator<MessageId> {
    for (const { id } of this.#leaves()) yield id;
  }

  /** Runs of neighbours in the transcript, as first and last position. */
  ranges(): [number, number][] {
    const ranges: [number, number][] = [];
    for (const { index } of this.#leaves()) {
      const last = ranges.at(-1);
      if (last?.[1] === index - 1) last[1] = index;
      else ranges.push([index, index]);
    }
    return ranges;
  }

  *#leaves(): Generator<{ readonly id: MessageId; readonly index: number }> {
    const waiting: Origins[] = [this];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.#id !== undefined) yield { id: next.#id, index: next.lowest };
      for (let at = next.#parts.length - 1; at >= 0; at -= 1) waiting.push(next.#parts[at] as Origins);
    }
  }

  /**
   * Takes these out of a set of origins: themselves, or everything they were merged from. False where something of them is not in it, as when
   * it has been taken out before.
   */
  takeFrom(known: Set<Origins>): boolean {
    if (known.delete(this)) return true;
    return this.#parts.length > 0 && this.#parts.every((part) => part.takeFrom(known));
  }
}
