import { type Message, type Part, type PlanContext, partsOf, sourcesOf, type ViewMessage } from '@ctx/core';

/**
 * What the parts of messages were before edits. What is shortened twice is shortened from what was said both times: otherwise it would
 * lose lines to make room for the mark of the first time.
 */
export class Originals {
  readonly #said: ReadonlyMap<string, Message>;

  constructor({ transcript }: Pick<PlanContext, 'transcript'>) {
    this.#said = new Map(transcript.map(({ id, message }) => [id, message]));
  }

  /** For each part of a message what it was, which is the part itself if no edit changed it. */
  partsOf({ id, message }: Pick<ViewMessage, 'id' | 'message'>): readonly Part[] {
    const parts = partsOf(message);
    const said = this.#said.get(id);
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
