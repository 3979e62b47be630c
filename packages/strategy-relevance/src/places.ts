import type { PlanContext } from '@ctx/core';

/** Where messages stand in a transcript. */
export class Places {
  readonly #places = new Map<string, number>();

  constructor(transcript: PlanContext['transcript']) {
    for (const [place, { id }] of transcript.entries()) this.#places.set(id, place);
  }

  /** The position of the message with this id; -1 if there is none. */
  of(id: string): number {
    return this.#places.get(id) ?? -1;
  }
}
