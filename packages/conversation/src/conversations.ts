import type { Codec, ContextManager, ManagerOptions, Message } from '@ctx/core';
import { createContextManager, restore } from '@ctx/presets';
import { Conversation, type SendOptions } from './conversation.js';
import { prefixHashes } from './prefix-hashes.js';
import { SavedConversation } from './saved-conversation.js';
import type { Store } from './store.js';
import { type OnWarning, Warnings } from './warnings.js';

export interface ConversationsOptions extends Omit<ManagerOptions, 'provider' | 'model' | 'tools'> {
  /** Is given each new manager, with the key of its conversation. */
  readonly onManager?: ((manager: ContextManager, key: string) => void) | undefined;
  /** Where conversations are kept that leave memory, or that another process goes on with. @default none */
  readonly store?: Store | undefined;
  /** How many conversations stay in memory; the one used longest ago leaves first. @default 200 */
  readonly maxConversations?: number | undefined;
  /** Is told once of each thing that ctx could not do or did not understand. @default `console.warn` */
  readonly onWarning?: OnWarning | undefined;
}

/** What a request is besides its history. */
export interface RequestOf extends Pick<ManagerOptions, 'provider' | 'model' | 'tools'> {
  /** What nobody else's conversations may share: the credentials, and the conversation's own key if it has one. It is not kept in clear text. */
  readonly scope?: string | undefined;
  /** The key that `onManager` is given. @default one that is made from the scope and the beginning of the history */
  readonly key?: string | undefined;
}

const mostConversations = 200;

/** Finds the conversation that a history belongs to, and makes one if there is none. */
export class Conversations<Native> {
  /** By use, the one used longest ago first. */
  readonly #live = new Set<Live<Native>>();
  readonly #byPrefix = new Map<string, Live<Native>>();
  readonly warnings: Warnings;
  readonly #options: ConversationsOptions;

  constructor(
    readonly codec: Codec<Native>,
    options: ConversationsOptions = {},
    warnings: Warnings = new Warnings(options.onWarning),
  ) {
    this.#options = options;
    this.warnings = warnings;
  }

  /** The number of conversations in memory. */
  get size(): number {
    return this.#live.size;
  }

  /**
   * The turn of a conversation that this history asks for: that with the longest beginning in common. A history goes on in it that continues
   * what was answered last; one that departs from it earlier gets a copy of its own, so that forks and sub-agents don't disturb each other.
   * @throws ValidationError for a history that the codec can't read or a manager can't take
   */
  async turn(history: Native, request: RequestOf = {}): Promise<Turn<Native>> {
    const messages = this.codec.toMessages(history);
    const scope = await digest([this.codec.name, request.provider, request.model, request.scope].join('\n'));
    const asked = { history, messages, request, scope, hashes: prefixHashes(messages) };
    if (this.#longest(asked) === undefined) await this.#load(asked);
    return this.#begin(asked);
  }

  /** Everything between looking and taking happens at once, as another request may come at any time. */
  #begin(asked: Asked<Native>): Turn<Native> {
    const found = this.#longest(asked);
    const live = found?.isFreeFor(asked) ? found : this.#separate(found, asked);
    this.#unlink(live);
    live.conversation.manager.setTools(asked.request.tools);
    live.take(asked);
    this.#remember(live);
    return new Turn(this, live, asked);
  }

  /** A conversation of its own for a turn that has fallen behind: another request has taken the conversation further. */
  separate(live: Live<Native>, asked: Asked<Native>): Live<Native> {
    const own = this.#separate(live, asked);
    own.take(asked);
    this.#remember(own);
    return own;
  }

  #longest({ scope, hashes }: Asked<Native>): Live<Native> | undefined {
    for (let at = hashes.length - 1; at >= 0; at -= 1) {
      const live = this.#byPrefix.get(`${scope} ${hashes[at]}`);
      if (live !== undefined) return live;
    }
    return undefined;
  }

  #separate(from: Live<Native> | undefined, asked: Asked<Native>): Live<Native> {
    if (from === undefined)
      return this.#made(createContextManager(this.#managerOptions(asked)), keyOf(asked), asked);
    const manager = restore(from.conversation.manager.snapshot(), this.#managerOptions(asked));
    return this.#made(manager, `${from.key}/${asked.hashes.at(-1)?.toString(36)}`, asked);
  }

  /** Brings a conversation back from the store. */
  async #load(asked: Asked<Native>): Promise<void> {
    const { store } = this.#options;
    if (store === undefined) return;
    const key = keyOf(asked);
    const saved = new SavedConversation(store, key);
    try {
      const manager = await saved.load(this.#managerOptions(asked));
      if (manager === undefined || this.#longest(asked) !== undefined) return;
      const live = this.#made(manager, key, asked, saved);
      live.know(manager.transcript.map(({ message }) => message));
      this.#remember(live);
    } catch {
      this.warnings.once(
        'store-failed',
        'A conversation could not be read from the store: it begins without its records.',
      );
    }
  }

  #made(
    manager: ContextManager,
    key: string,
    { scope, request }: Asked<Native>,
    saved = this.#options.store && new SavedConversation(this.#options.store, key),
  ): Live<Native> {
    try {
      this.#options.onManager?.(manager, request.key ?? key);
    } catch {
      this.warnings.once('on-manager-failed', '`onManager` threw. The conversation goes on.');
    }
    return new Live(new Conversation(this.codec, manager, this.warnings), key, scope, saved);
  }

  #managerOptions({ request: { provider, model, tools } }: Asked<Native>): ManagerOptions {
    const { onManager: _m, store: _s, maxConversations: _n, onWarning: _w, ...options } = this.#options;
    return { ...options, provider, model, tools };
  }

  #remember(live: Live<Native>): void {
    for (const hash of live.hashes) this.#byPrefix.set(`${live.scope} ${hash}`, live);
    this.#live.delete(live);
    this.#live.add(live);
    const { maxConversations = mostConversations } = this.#options;
    for (const oldest of this.#live) {
      if (this.#live.size <= Math.max(1, maxConversations)) break;
      this.#forget(oldest);
    }
  }

  #forget(live: Live<Native>): void {
    this.#live.delete(live);
    this.#unlink(live);
  }

  #unlink(live: Live<Native>): void {
    for (const hash of live.hashes) {
      const key = `${live.scope} ${hash}`;
      if (this.#byPrefix.get(key) === live) this.#byPrefix.delete(key);
    }
  }
}

interface Asked<Native> {
  readonly history: Native;
  readonly messages: readonly Message[];
  readonly hashes: readonly number[];
  readonly request: RequestOf;
  readonly scope: string;
}

/** A conversation in memory. */
class Live<Native> {
  #hashes: readonly number[] = [];
  /** The number of hashes up to the last answer of the assistant. */
  #answered = 0;
  /** Turns that are being prepared. */
  preparing = 0;

  constructor(
    readonly conversation: Conversation<Native>,
    readonly key: string,
    readonly scope: string,
    readonly saved: SavedConversation | undefined,
  ) {}

  get hashes(): readonly number[] {
    return this.#hashes;
  }

  know(messages: readonly Message[], hashes: readonly number[] = prefixHashes(messages)): void {
    this.#hashes = hashes;
    const said = messages.filter(({ role }) => role !== 'system');
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

  take(asked: Asked<Native>): void {
    this.conversation.take(asked.history, asked.messages);
    this.know(asked.messages, asked.hashes);
  }

  says({ hashes }: Asked<Native>): boolean {
    return this.#hashes.length === hashes.length && this.#hashes.at(-1) === hashes.at(-1);
  }
}

/** One request of a conversation, from its history to the answer. */
export class Turn<Native> {
  #live: Live<Native>;

  constructor(
    readonly of: Conversations<Native>,
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
    if (this.#live.says(this.asked)) this.conversation.answered(answer);
    try {
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

/** The key of a conversation: what it began with. Nothing of what was said or of the credentials can be read from it. */
function keyOf({ scope, messages, hashes }: Asked<unknown>): string {
  const said = messages.filter(({ role }) => role !== 'system');
  const answer = said.findIndex(({ role }) => role === 'assistant');
  const first = hashes[Math.max(0, answer < 0 ? said.length - 1 : answer - 1)] ?? 0;
  return `${scope.slice(0, 32)}-${first.toString(36)}`;
}

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
