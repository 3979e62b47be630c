import type { Exchange, Message, PlanContext } from '@ctx/core';
import { middleRange } from './middle-range.js';

type MessageId = Message['id'];

/** The middle of a conversation, as ids of messages, which do not change when other messages are removed. */
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

  /** Whether a whole exchange is in the middle. */
  holds({ messages }: Exchange): boolean {
    return messages.every(({ id }) => this.#ids.has(id));
  }
}
