import { type ContextManager, type Message, partsOf } from '@ctx/core';
import { isClosing, stringifyJson } from '@ctx/core/codec';
import type { AskedCache } from './asked-cache.js';
import type { Asked } from './asked-request.js';
import type { Conversation } from './conversation.js';
import type { SharedState } from './shared-state.js';

/** No provider lets go of its cache sooner. */
const shortestLifeMs = 5 * 60_000;

/** A conversation in memory. */
export class Live<Native> {
  /** Those of the history that it took last. */
  hashes: readonly number[] = [];
  /** The number of hashes up to the last answer of the assistant. */
  #answered = 0;
  /** The number of the system prompts of the history that it took last. */
  #system: number | undefined;
  #sender: string | undefined;
  /** The history that it took last, or with which another model was asked since. */
  #heard = { messages: 0, hash: 0 };
  #askedAt = 0;
  /** The model that was asked last. */
  model: string | undefined;
  /** The characters of what was said, system prompts apart. */
  characters = 0;
  /** Turns that are being prepared. */
  preparing = 0;
  /** The newest attempt to send a smaller request; the next one waits for it. */
  lastRefusal: Promise<unknown> = Promise.resolve();

  readonly scope: string;
  /** The learned window that its manager was made with. */
  learned: number | undefined;
  /** The longest that one of its requests has asked for. */
  cache: AskedCache | undefined;

  constructor(
    /** Another one in a window that was learned since. */
    public conversation: Conversation<Native>,
    readonly key: string,
    asked: Asked<Native>,
    /** Missing where no other process has to know. */
    readonly shared?: SharedState,
  ) {
    ({ scope: this.scope, learned: this.learned, cache: this.cache } = asked);
  }

  /** Notes what was said: the messages, and the hashes of those that are no system prompts. */
  know(messages: readonly Message[], hashes: readonly number[]): void {
    const said = saidIn(messages);
    this.hashes = hashes.slice(0, said.length);
    this.#answered = said.findLastIndex(({ role }) => role === 'assistant') + 1;
  }

  /**
   * True if the history has everything up to the last answer, and no request is being prepared that says something else. What came after the
   * answer may be another: some agents add to the newest message what they leave out again in the next request.
   */
  isFreeFor(asked: Asked<Native>): boolean {
    const last = this.#answered - 1;
    const continues = last < 0 || asked.hashes[last] === this.hashes[last];
    return continues && (this.preparing === 0 || this.says(asked));
  }

  take(asked: Asked<Native>): void {
    this.conversation.take(asked.history, asked.messages, asked.isMended);
    this.know(asked.messages, asked.hashes);
    this.characters = asked.characters;
    this.#system = asked.system;
    this.#sender = senderOf(asked);
    this.model = asked.request.model;
    this.#heard = heardOf(asked);
    this.#askedAt = asked.at;
  }

  /**
   * Another model is asked to go on with the conversation: what it answers does not keep the cache of this one's warm. If there is an answer
   * that neither gave, another process may have asked for it.
   */
  hear(asked: Asked<Native>): void {
    const { messages, hash } = this.#heard;
    const isOther = this.isOfSender(asked) && this.model !== asked.request.model;
    if (!isOther || messages === 0 || asked.hashes[messages - 1] !== hash) return;
    const roles = saidIn(asked.messages).map(({ role }) => role === 'assistant');
    const isNewAnswer = (one: boolean, at: number) => at >= messages && one && roles[at - 1] === false;
    if (roles.filter(isNewAnswer).length <= 1) this.#heard = heardOf(asked);
  }

  /** How many messages another model was asked with that this one has not taken, if its cache may have expired since. */
  missedUntil({ at }: Asked<Native>): number {
    return at - this.#askedAt > shortestLifeMs ? Math.max(0, this.#heard.messages - this.hashes.length) : 0;
  }

  /** True if it was asked for with the same credentials, whatever its session and model. */
  isOfSender(asked: Asked<Native>): boolean {
    return this.#sender === senderOf(asked);
  }

  /** True if a history begins with the same message. */
  hasBegunAs({ hashes }: Asked<Native>): boolean {
    return this.hashes.length > 0 && this.hashes[0] === hashes[0];
  }

  /** True if the history that it took last says the same, system prompts included. */
  says({ hashes, system }: Asked<Native>): boolean {
    const isSame = this.hashes.length === hashes.length && this.hashes.at(-1) === hashes.at(-1);
    return isSame && this.#system === system;
  }
}

const heardOf = ({ hashes }: Asked<unknown>) => ({ messages: hashes.length, hash: hashes.at(-1) ?? 0 });

const saidIn = (messages: readonly Message[]) => messages.filter(({ role }) => role !== 'system');

const senderOf = ({ request: { sender, scope } }: Asked<unknown>) => sender ?? scope;

/** The key of a conversation: what it began with. Nothing of what was said or of the credentials can be read from it. */
export function keyOf(asked: Asked<unknown>): string {
  return `${asked.scope.slice(0, 32)}-${(asked.hashes[beginningOf(asked).length - 1] ?? 0).toString(36)}`;
}

/** A secret that only those have who know the conversation and its credentials. */
export function secretOf(asked: Asked<unknown>): string {
  return `${asked.scope}${stringifyJson(beginningOf(asked).map(partsOf))}`;
}

/** What was said before the first answer, system prompts apart. */
function beginningOf({ messages }: Asked<unknown>): readonly Message[] {
  const said = saidIn(messages);
  const answer = said.findIndex(({ role }) => role === 'assistant');
  return said.slice(0, answer < 0 ? said.length : Math.max(1, answer));
}

/** The history that a manager holds. */
export function historyOf({ transcript }: ContextManager): Message[] {
  return transcript.map(({ message }) => message).filter((message) => !isClosing(message));
}
