import type { Message } from '@ctx/core';
import type { CountTokens } from './count-tokens.js';
import { matchesOf } from './matches.js';
import { labeller } from './message-label.js';
import type { ReplayRequest } from './replay-figures.js';
import type { CandidateSteps, MadeMessage } from './report/session-data.js';
import { textOf } from './spoken.js';

/** Keeps the views of a replay as what changed from one to the next. */
export class StepRecorder {
  readonly #positions: ReadonlyMap<Message, number>;
  readonly #label: ReturnType<typeof labeller>;
  readonly #made: MadeMessage[] = [];
  readonly #madeIds = new Map<Message, number>();
  readonly #madeByText = new Map<string, number>();
  readonly #views: number[][] = [];
  readonly #missed: number[][] = [];
  readonly #costs: number[] = [];
  #last: readonly number[] = [];

  constructor(
    readonly messages: readonly Message[],
    readonly tokensOf: CountTokens,
  ) {
    this.#positions = new Map(messages.map((message, at) => [message, at]));
    this.#label = labeller(messages);
  }

  add({ index, view, used, missed, cost }: ReplayRequest): void {
    this.#addMade(index, view);
    const ids = view.map((message) => this.#positions.get(message) ?? (this.#madeIds.get(message) as number));
    let same = 0;
    while (same < ids.length && same < this.#last.length && ids[same] === this.#last[same]) same += 1;
    this.#views.push([same, ...ids.slice(same)]);
    this.#last = ids;
    this.#missed.push(missed.map((atom) => used.indexOf(atom)));
    this.#costs.push(Math.round(cost));
  }

  steps(): CandidateSteps {
    return { made: this.#made, views: this.#views, missed: this.#missed, costs: this.#costs };
  }

  #addMade(index: number, view: readonly Message[]): void {
    const isKnown = (message: Message) => this.#positions.has(message) || this.#madeIds.has(message);
    if (view.every(isKnown)) return;
    const prefix = this.messages.slice(0, index);
    const origins = new Map<Message, number>();
    for (const [at, match] of matchesOf(
      prefix,
      view,
      view.filter((one) => !this.#positions.has(one)),
    ).entries())
      if (match !== undefined && !origins.has(match)) origins.set(match, at);
    for (const message of view) {
      if (isKnown(message)) continue;
      const text = textOf(message);
      const of = origins.get(message);
      const key = `${message.role} ${of ?? ''} ${text}`;
      let id = this.#madeByText.get(key);
      if (id === undefined) {
        this.#made.push({
          role: message.role,
          label: this.#label(message),
          tokens: this.tokensOf(message),
          text,
          ...(of !== undefined && { of }),
        });
        id = -this.#made.length;
        this.#madeByText.set(key, id);
      }
      this.#madeIds.set(message, id);
    }
  }
}
