import type { Exchange, MessageId, PlanContext } from '@ctx/core';
import { middleRange } from './middle-range.js';

/** The middle of a conversation, by the ids of its messages: they stay the same when others leave. */
export class Middle {
  readonly #ids: ReadonlySet<MessageId>;

  constructor(readonly ids: readonly MessageId[]) {
    this.#ids = new Set(ids);
  }

  static of(
    { view }: PlanContext,
    percentiles: { readonly middlePercentileStart: number; readonly middlePercentileEnd: number },
  ): Middle {
    const range = middleRange(view, {
      startShare: percentiles.middlePercentileStart / 100,
      endShare: percentiles.middlePercentileEnd / 100,
    });
    if (range === undefined) return new Middle([]);
    return new Middle(view.slice(range.start, range.end + 1).map(({ id }) => id));
  }

  /** True where all of an exchange lies in it. */
  holds({ messages }: Exchange): boolean {
    return messages.every(({ id }) => this.#ids.has(id));
  }
}
