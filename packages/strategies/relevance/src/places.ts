import type { PlanContext } from '@ctx/core';

/** Where messages are in a transcript. */
export class Places {
  readonly #places = new Map<string, number>();

  constructor(transcript: PlanContext['transcript']) {
    let place = 0;
    for (const { id } of transcript) {
      this.#places.set(id, place);
      place += 1;
    }
  }

  /** The position of the message with this id; -1 if there is none. */
  of(id: string): number {
    return this.#places.get(id) ?? -1;
  }
}
