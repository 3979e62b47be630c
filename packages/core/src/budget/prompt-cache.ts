import type { Conversation } from '../view/conversation.js';

export interface PromptCacheState {
  /** When the provider last had a request or sent an answer, in ms since epoch. */
  readonly askedAt?: number | undefined;
  readonly askedMessages?: number | undefined;
  /** The tools of the last request; in a snapshot only if they have changed since. */
  readonly sentTools?: string | undefined;
}

/** The clock counts ms; lifetimes are in minutes. */
const msPerMinute = 60_000;

/** Knows when the provider's cache surely holds nothing of a conversation, so that rewriting it costs no more than going on. */
export class PromptCache {
  state: PromptCacheState = {};
  #readByOther = false;

  constructor(
    readonly conversation: Conversation,
    readonly cacheMinutes: number | undefined,
    /** Ms since epoch. */
    readonly now: () => number,
  ) {}

  /** The conversation goes on with another model than that of its last request. */
  changeModel(): void {
    this.#readByOther = true;
  }

  asked(tools: string): void {
    const { length } = this.conversation.transcript;
    this.state = { askedAt: this.now(), askedMessages: length, sentTools: tools };
    this.#readByOther = false;
  }

  answered(): void {
    if (this.state.askedAt !== undefined) this.state = { ...this.state, askedAt: this.now() };
  }

  /** Why the cache holds nothing for a request with these tools; undefined if it may hold something. A clock that goes backwards says nothing. */
  coldFor(tools: string): string | undefined {
    if (this.#readByOther) return 'another model reads it for the first time';
    const { askedAt, sentTools } = this.state;
    if (askedAt === undefined || this.#isAskedElsewhere) return undefined;
    if (sentTools !== tools) return 'the tools had changed, and with them the cache';
    const minutes = (this.now() - askedAt) / msPerMinute;
    return minutes > (this.cacheMinutes ?? Number.POSITIVE_INFINITY) ? 'the cache had expired' : undefined;
  }

  /** Whether there are answers to requests that were not made here, such as those of another process: they kept the cache warm. */
  get #isAskedElsewhere(): boolean {
    const { messages } = this.conversation.transcript;
    const roles = messages.slice(this.state.askedMessages).map(({ message }) => message.role);
    const answer = roles.indexOf('assistant');
    const next = roles.findIndex((role, at) => at > answer && role !== 'assistant');
    return answer >= 0 && next >= 0 && roles.indexOf('assistant', next) >= 0;
  }
}
