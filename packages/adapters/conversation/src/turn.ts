import type { Usage } from '@ctx/core';
import { isOverflowError, overflowKind } from '@ctx/core/codec';
import type { Asked } from './asked-request.js';
import type { Conversation, SendOptions } from './conversation.js';
import type { Live } from './live-conversation.js';
import { outputFault } from './shortage.js';
import type { Warnings } from './warnings.js';

/** What a turn needs of the conversations that it belongs to. */
interface TurnOwner<Native> {
  readonly warnings: Warnings;
  separate(live: Live<Native>, asked: Asked<Native>): Live<Native>;
  /** Tells other processes of new compressions; gives the conversation as another one has it if that one was quicker. */
  shared(live: Live<Native>, asked: Asked<Native>): Promise<Live<Native>>;
  /** Takes what a refused request says of the window; from then on the conversation is in one for the next attempt. */
  learned(live: Live<Native>, asked: Asked<Native>, error: unknown): void;
  /** Takes the tokens of a request that was answered. */
  fitted(asked: Asked<Native>, tokens: number): void;
}

/** Two processes that compress the same conversation at once agree at the second attempt. */
const mostAttempts = 3;

/** One request of a conversation, from its history to the answer. */
export class Turn<Native> {
  #live: Live<Native>;
  #asked: Asked<Native>;
  /** What was sent last: the view of a conversation in an epoch. */
  #sent: { readonly conversation: Conversation<Native>; readonly epoch: number } | undefined;

  constructor(
    readonly of: TurnOwner<Native>,
    live: Live<Native>,
    asked: Asked<Native>,
  ) {
    this.#live = live;
    this.#asked = asked;
  }

  get conversation(): Conversation<Native> {
    return this.#live.conversation;
  }

  get key(): string {
    return this.#live.key;
  }

  /** What to send, made smaller if need be. */
  async prepare(options: SendOptions = {}): Promise<Native> {
    return (await this.#agreed(async ({ conversation }) => {
      await conversation.check(options);
      return this.#sending(conversation);
    })) as Native;
  }

  /**
   * After the provider refused the request as too large: what to send next; undefined if it can't be made any smaller. Where the same was
   * asked several times at once, the first refusal makes it smaller, and the others send what that has left.
   */
  async recovered(error: unknown, options: SendOptions = {}): Promise<Native | undefined> {
    const live = this.#current();
    const recovered = live.lastRefusal.then(() => this.#recoveredNow(error, options));
    live.lastRefusal = recovered.catch(() => undefined);
    return recovered;
  }

  async #recoveredNow(error: unknown, options: SendOptions): Promise<Native | undefined> {
    const { conversation: newest } = this.#current();
    const sent = this.#sent;
    if (sent !== undefined && (sent.conversation !== newest || sent.epoch !== newest.manager.epoch))
      return this.#agreed(async ({ conversation }) => this.#sending(conversation));
    // Fewer images help, a smaller window does not.
    if (isOverflowError(error) && overflowKind(error) !== 'images')
      this.of.learned(this.#current(), this.#asked, error);
    return this.#agreed(async ({ conversation }) =>
      (await conversation.recovered(error, options)) ? this.#sending(conversation) : undefined,
    );
  }

  #sending(conversation: Conversation<Native>): Native {
    this.#sent = { conversation, epoch: conversation.manager.epoch };
    return conversation.request(this.#asked.history);
  }

  /** Does it until no other process has been quicker: then all send the same. */
  async #agreed(task: (live: Live<Native>) => Promise<Native | undefined>): Promise<Native | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const live = this.#current();
      live.preparing += 1;
      try {
        const native = await task(live);
        if (live.shared === undefined) return native;
        this.#live = await this.of.shared(live, this.#asked);
        if (this.#live === live || attempt === mostAttempts) return native;
      } finally {
        live.preparing -= 1;
      }
    }
  }

  /**
   * True if a request was refused because its answer may have more tokens than the window has room for, which is told: nothing that is cut
   * would help.
   * @param outputTokens what the request allows its answer, if it says so
   */
  blamesOutput(error: unknown, outputTokens: number | undefined): boolean {
    const { currentTokens } = this.conversation.manager.stats();
    const fault = outputFault(error, outputTokens, currentTokens);
    if (fault !== undefined) this.of.warnings.once('output-too-large', fault);
    return fault !== undefined;
  }

  /** The window was full before the answer had ended: the next request is smaller. */
  async refusedLate(error: unknown): Promise<void> {
    if (this.#live.says(this.#asked)) await this.conversation.recovered(error);
  }

  /** The provider has begun to answer: lets go of the history, which only another attempt would need. A long answer would hold it for minutes. */
  taken(): void {
    this.conversation.forget(this.#asked.history);
    this.#asked = { ...this.#asked, history: undefined as Native, messages: [] };
  }

  /**
   * Takes what the provider counted.
   * @param usage what the answer reports; see `reportedUsage`
   */
  answered(usage: Usage | undefined): void {
    if (usage === undefined) return;
    if (this.#live.says(this.#asked)) this.conversation.reported(usage);
    this.of.fitted(this.#asked, usage.inputTokens);
  }

  /** Another request may have taken the conversation further since. */
  #current(): Live<Native> {
    if (!this.#live.says(this.#asked)) this.#live = this.of.separate(this.#live, this.#asked);
    return this.#live;
  }
}
