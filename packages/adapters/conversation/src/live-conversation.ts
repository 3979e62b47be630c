import { type ContextManager, type Message, partsOf } from '@ctx/core';
import { isClosing, stringifyJson } from '@ctx/core/codec';
import type { Asked, RequestOf } from './asked-request.js';
import type { Conversation } from './conversation.js';
import { commonLength, prefixHashes } from './prefix-hashes.js';
import type { SavedConversation } from './saved-conversation.js';
import type { SharedState } from './shared-state.js';

/** A conversation in memory. */
export class Live<Native> {
  #hashes: readonly number[] = [];
  #said: readonly Message[] = [];
  #lengths: readonly number[] = [];
  /** The number of hashes up to the last answer of the assistant. */
  #answered = 0;
  /** The number of the system prompts of the history that it took last. */
  #system: number | undefined;
  #sender: string | undefined;
  /** The model that was asked last. */
  model: string | undefined;
  /** The characters of what was said, system prompts apart. */
  characters = 0;
  /** Turns that are being prepared. */
  preparing = 0;
  /** The same conversation in a window that was learned since. */
  successor: Live<Native> | undefined;
  /** The newest attempt to send a smaller request; the next one waits for it. A successor shares it. */
  refusals: { last: Promise<unknown> } = { last: Promise.resolve() };

  constructor(
    readonly conversation: Conversation<Native>,
    readonly key: string,
    readonly scope: string,
    readonly saved: SavedConversation | undefined,
    /** Missing where no other process has to know. */
    readonly shared?: SharedState | undefined,
    /** The learned window that its manager was made with. */
    readonly learned?: number | undefined,
  ) {}

  get hashes(): readonly number[] {
    return this.#hashes;
  }

  /** What the history that it took last says, system prompts apart; a message for each hash. */
  get said(): readonly Message[] {
    return this.#said;
  }

  know(messages: readonly Message[], hashes: readonly number[] = prefixHashes(messages)): void {
    const said = messages.filter(({ role }) => role !== 'system');
    const known = commonLength(this.#hashes, hashes);
    const added = said.slice(known);
    // What was said before stays as the object that the manager has too.
    this.#said = this.#said.slice(0, known).concat(added);
    this.#lengths = this.#lengths.slice(0, known).concat(added.map((one) => lengthOf(partsOf(one))));
    this.characters = this.#lengths.reduce((sum, length) => sum + length, 0);
    this.#hashes = hashes;
    this.#answered = said.findLastIndex(({ role }) => role === 'assistant') + 1;
  }

  /**
   * True if the history has everything up to the last answer, and no request is being prepared that says something else. What came after the
   * answer may be another: some agents add to the newest message what they leave out again in the next request.
   */
  isFreeFor(asked: Asked<Native>): boolean {
    const last = this.#answered - 1;
    const continues = last < 0 || asked.hashes[last] === this.#hashes[last];
    return continues && (this.preparing === 0 || this.says(asked));
  }

  /** Tells the manager of the tools of a request. */
  offer({ tools }: RequestOf): void {
    this.conversation.tools = tools;
    this.conversation.manager.setTools(tools);
  }

  take(asked: Asked<Native>): void {
    let at = -1;
    // What is known to be the same object need not be compared once more.
    const known = asked.messages.map((message) => {
      if (message.role === 'system') return message;
      at += 1;
      const same = asked.same[at];
      return same !== undefined && same === this.#said[at] ? same : message;
    });
    this.conversation.take(asked.history, asked.messages, known, asked.isMended);
    this.know(asked.messages, asked.hashes);
    this.#system = asked.system;
    this.#sender = senderOf(asked);
    this.model = asked.request.model;
  }

  /** True if it was asked for with the same credentials, whatever its session and model. */
  isOfSender(asked: Asked<Native>): boolean {
    return this.#sender === senderOf(asked);
  }

  /** True if a history begins with the same message. */
  hasBegunAs({ hashes }: Asked<Native>): boolean {
    return this.#hashes.length > 0 && this.#hashes[0] === hashes[0];
  }

  /** True if the history that it took last says the same, system prompts included. */
  says({ hashes, system }: Asked<Native>): boolean {
    const isSame = this.#hashes.length === hashes.length && this.#hashes.at(-1) === hashes.at(-1);
    return isSame && this.#system === system;
  }
}

const senderOf = ({ request: { sender, scope } }: Asked<unknown>) => sender ?? scope;

/** The characters of all texts in a value, and the bytes of what is none. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let length = 0;
  for (const one of Array.isArray(value) ? value : Object.values(value)) length += lengthOf(one);
  return length;
}

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
  const said = messages.filter(({ role }) => role !== 'system');
  const answer = said.findIndex(({ role }) => role === 'assistant');
  return said.slice(0, answer < 0 ? said.length : Math.max(1, answer));
}

/** The history that a manager holds. */
export function historyOf({ transcript }: ContextManager): Message[] {
  return transcript.map(({ message }) => message).filter((message) => !isClosing(message));
}
