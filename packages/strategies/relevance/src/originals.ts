import { type Part, type PlanContext, partsOf, type ViewMessage } from '@ctx/core';
import { sourcesOf } from '@ctx/core/codec';

/**
 * Finds the original parts of edited messages. A text that is cut a second time is cut from its original: cutting the first result
 * would lose more lines to make room for another mark.
 */
export class Originals {
  /** Built when it is needed: in most plans nothing is cut. */
  #places: ReadonlyMap<string, number> | undefined;

  constructor(readonly context: Pick<PlanContext, 'transcript'>) {}

  /** The original of each part of a message. For a part that no edit changed, this is the part itself. */
  partsOf({ id, message }: Pick<ViewMessage, 'id' | 'message'>): readonly Part[] {
    const parts = partsOf(message);
    const { transcript } = this.context;
    this.#places ??= placesIn(transcript);
    const said = transcript[this.#places.get(id) ?? -1]?.message;
    if (said === undefined || said === message) return parts;
    const before = partsOf(said);
    const sources = sourcesOf(parts, before);
    return parts.map((part, position) => {
      const source = sources[position];
      const original = source === undefined ? undefined : before[source];
      return original?.type === part.type ? original : part;
    });
  }
}

/** Where the message of each id is in a transcript. */
export function placesIn(transcript: PlanContext['transcript']): ReadonlyMap<string, number> {
  return new Map(transcript.map(({ id }, place) => [id, place]));
}
