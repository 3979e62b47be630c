import type { MessageId } from '../transcript/message.js';
import type { Transcript, TranscriptMessage } from '../transcript/transcript.js';

type Origin = Pick<TranscriptMessage, 'id' | 'index'>;

/** The messages of the transcript that an entry of the view stands for, in view order. */
export class Origins {
  readonly lowest: number;
  readonly highest: number;

  /** @param messages one, or all those that were merged */
  constructor(readonly messages: readonly Origin[]) {
    let [lowest, highest] = [messages[0]?.index ?? -1, -1];
    for (const { index } of messages) {
      lowest = Math.min(lowest, index);
      highest = Math.max(highest, index);
    }
    this.lowest = lowest;
    this.highest = highest;
  }

  static merged(parts: readonly Origins[]): Origins {
    return new Origins(parts.flatMap(({ messages }) => messages));
  }

  get size(): number {
    return this.messages.length;
  }

  /** True for the origins of a single message that was not merged. */
  isOnly(id: MessageId): boolean {
    return this.messages.length === 1 && this.messages[0]?.id === id;
  }

  /** True if some of the messages were said before a position of the transcript, and some after it. */
  surrounds(position: number): boolean {
    return this.lowest < position && position < this.highest;
  }
}

/** Messages that edits removed without a replacement. */
export interface Dropped {
  readonly count: number;
  /** The lowest position in the transcript; undefined if nothing was dropped. */
  readonly first: number | undefined;
  readonly last?: number | undefined;
}

export const nothingDropped: Dropped = { count: 0, first: undefined };

/** The messages that no entry stands for; undefined if two entries stand for the same one, or one for a message that was never said. */
export function droppedFrom(
  entries: readonly { readonly origins: Origins }[],
  transcript: Transcript,
  length = transcript.length,
): Dropped | undefined {
  const isShown = new Uint8Array(length);
  let count = length;
  for (const { origins } of entries)
    for (const { id, index } of origins.messages) {
      if (isShown[index] !== 0 || transcript.at(index)?.id !== id) return undefined;
      isShown[index] = 1;
      count -= 1;
    }
  return count === 0 ? nothingDropped : { count, first: isShown.indexOf(0), last: isShown.lastIndexOf(0) };
}
