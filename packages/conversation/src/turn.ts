import type { Conversation, SendOptions } from './conversation.js';
import type { Asked, Live } from './live-conversation.js';
import type { Warnings } from './warnings.js';

/** What a turn needs of the conversations that it belongs to. */
interface TurnOwner<Native> {
  readonly warnings: Warnings;
  separate(live: Live<Native>, asked: Asked<Native>): Live<Native>;
}

/** One request of a conversation, from its history to the answer. */
export class Turn<Native> {
  #live: Live<Native>;

  constructor(
    readonly of: TurnOwner<Native>,
    live: Live<Native>,
    readonly asked: Asked<Native>,
  ) {
    this.#live = live;
  }

  get conversation(): Conversation<Native> {
    return this.#live.conversation;
  }

  get key(): string {
    return this.#live.key;
  }

  /** What to send, made smaller if need be. */
  async prepare(options: SendOptions = {}): Promise<Native> {
    const live = this.#current();
    live.preparing += 1;
    try {
      return await live.conversation.prepare(options);
    } finally {
      live.preparing -= 1;
    }
  }

  /** After the provider refused the request as too large: what to send next; undefined if it can't be made any smaller. */
  async recovered(error: unknown, options: SendOptions = {}): Promise<Native | undefined> {
    const live = this.#current();
    live.preparing += 1;
    try {
      return (await live.conversation.recovered(error, options)) ? live.conversation.request() : undefined;
    } finally {
      live.preparing -= 1;
    }
  }

  /** Takes what the answer reports, and saves the conversation. */
  async answered(answer: unknown): Promise<void> {
    try {
      if (this.#live.says(this.asked)) this.conversation.answered(answer);
      await this.#live.saved?.save(this.conversation.manager);
    } catch {
      this.of.warnings.once(
        'store-failed',
        'A conversation could not be written to the store. It goes on in memory.',
      );
    }
  }

  /** Another request may have taken the conversation further since. */
  #current(): Live<Native> {
    if (!this.#live.says(this.asked)) this.#live = this.of.separate(this.#live, this.asked);
    return this.#live;
  }
}
