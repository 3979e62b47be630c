import { digestOf } from '../base/digest.js';
import type { Conversation } from '../view/conversation.js';

export interface PromptCacheState {
  readonly askedMessages?: number | undefined;
  /**
   * Digests of the tools that were sent since the newest record, and when the provider last had a request with them or sent its answer, in ms
   * since epoch; with another model than that of the snapshot, also its name. Those of the last request are the last.
   */
  readonly asked?: readonly AskedTools[] | undefined;
  /** The newest record then. */
  readonly askedRecord?: string | undefined;
}

type AskedTools = readonly [tools: number, at: number, model?: string];

/** The clock counts ms; lifetimes are in minutes. */
const msPerMinute = 60_000;
/** Sets of tools that an agent alternates between. A limit. */
const mostTools = 8;
/** The JSON of an empty list of tools. */
export const noTools = '[]';

/** Knows when the provider's cache surely holds nothing of a conversation, so that rewriting it costs no more than going on. */
export class PromptCache {
  state: PromptCacheState = {};
  #isChanged = false;
  constructor(
    readonly conversation: Conversation,
    readonly cacheMinutes: number | undefined,
    /** Ms since epoch. */
    readonly now: () => number,
  ) {}

  /** The conversation goes on with another model than that of its last request. */
  changeModel(from: string, to: string): void {
    const { asked = [] } = this.state;
    const named = asked.map(
      ([tools, at, model = from]): AskedTools => (model === to ? [tools, at] : [tools, at, model]),
    );
    this.state = { ...this.state, asked: named };
    this.#isChanged = true;
  }

  asked(tools: string): void {
    const { transcript, records } = this.conversation;
    const newest = records.at(-1)?.id;
    const digest = digestOf(0, tools);
    const { asked = [], askedRecord } = this.state;
    const isOther = ([one, , model]: AskedTools) => one !== digest || model !== undefined;
    const others = askedRecord === newest ? asked.filter(isOther) : [];
    this.state = {
      askedMessages: transcript.length,
      asked: [...others.slice(1 - mostTools), [digest, this.now()]],
      askedRecord: newest,
    };
    this.#isChanged = false;
  }

  answered(): void {
    const { asked = [] } = this.state;
    const [tools, , ...model] = asked.at(-1) ?? [];
    if (tools !== undefined)
      this.state = { ...this.state, asked: [...asked.slice(0, -1), [tools, this.now(), ...model]] };
  }

  /** Why the cache holds nothing for a request with these tools; undefined if it may hold something. A clock that goes backwards says nothing. */
  coldFor(tools: string): string | undefined {
    const asked = (this.state.asked ?? []).filter(([, , model]) => model === undefined);
    const last = asked.at(-1);
    if (last === undefined && this.#isChanged) return 'another model reads it for the first time';
    if (last === undefined || this.#isAskedElsewhere) return undefined;
    const digest = digestOf(0, tools);
    const same = asked.find(([one]) => one === digest);
    // A question without tools is asked beside a task, which goes on with its tools and its cache.
    if (same === undefined && tools.length > noTools.length)
      return 'the tools had changed, and with them the cache';
    const minutes = (this.now() - (same ?? last)[1]) / msPerMinute;
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
