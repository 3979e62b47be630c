import type { Codec, Message, Steps } from '@ctx/core';
import { overflowFigures, overflowKind, resultsInPlace } from '@ctx/core/codec';
import { restoreInSteps } from '@ctx/presets';
import { askedCacheIn, longer, offered } from './asked-cache.js';
import type { Asked, RequestOf } from './asked-request.js';
import { Conversation } from './conversation.js';
import { type ConversationsOptions, refuseOptions } from './conversations-options.js';
import { LearnedWindows } from './learned-windows.js';
import { historyOf, keyOf, Live } from './live-conversation.js';
import { LiveIndex } from './live-index.js';
import { LiveMaker } from './live-maker.js';
import { prefixesInSteps } from './prefix-hashes.js';
import { digest } from './seal.js';
import { Turn } from './turn.js';
import { Warnings } from './warnings.js';

/** As many as one server may have at a time. */
const mostConversations = 200;
/** Some 16 million tokens; they take about 250 MB. */
const mostCharacters = 64_000_000;

/** Finds the conversation that a history belongs to, and makes one if there is none. */
export class Conversations<Native> {
  readonly #live: LiveIndex<Native>;
  readonly #windows = new LearnedWindows();
  readonly #maker: LiveMaker<Native>;
  readonly #now: () => number;

  /** @throws ConfigError as `createContextManager` */
  constructor(
    readonly codec: Codec<Native>,
    options: ConversationsOptions = {},
    readonly warnings: Warnings = new Warnings(options.onWarning),
  ) {
    refuseOptions(options);
    const { maxConversations = mostConversations, maxCharacters = mostCharacters } = options;
    this.#live = new LiveIndex(maxConversations, maxCharacters);
    this.#maker = new LiveMaker(codec, options, warnings);
    this.#now = options.now ?? Date.now;
  }

  /** The number of conversations in memory. */
  get size(): number {
    return this.#live.size;
  }

  /** Waits until what was removed from the views of the conversations in memory is in the archive, or could not be put there. */
  async archived(): Promise<void> {
    await Promise.all([...this.#live].map(({ conversation }) => conversation.manager.archived()));
  }

  /**
   * The turn of a conversation that this history asks for: that with the longest beginning in common. A history goes on in it that continues
   * what was answered last; one that departs from it earlier gets a copy of its own, so that forks and sub-agents don't disturb each other.
   * @throws ValidationError for a history that the codec can't read or a manager can't take
   */
  async turn(history: Native, request: RequestOf = {}): Promise<Turn<Native>> {
    const asked = await this.#asked(history, request);
    const found = await this.#caughtUp(this.#live.bestFor(asked), asked);
    if (found === undefined) {
      const relative = this.#live.relativeOf(asked);
      const known = relative?.hasBegunAs(asked) ? relative : undefined;
      return this.#begin(asked, await this.#maker.begun(asked, known));
    }
    if (!found.isFreeFor(asked)) return this.#begin(asked, await this.#maker.departing(found, asked));
    // Count new messages in slices first, so that appending them is instant.
    const added = asked.hashes.length - found.hashes.length;
    if (added > 0)
      await this.#maker.inSlices(found.conversation.manager.countAhead(asked.messages.slice(-added)));
    return this.#begin(asked, found);
  }

  /**
   * A turn on a copy of the conversation that this history belongs to. The copy is not remembered. For requests of agents that are not
   * turns, such as those that count tokens or ask for a summary.
   * @param whole true to begin without the records of the conversation, with everything that was said
   * @throws ValidationError as `turn`
   */
  async sideTurn(history: Native, request: RequestOf = {}, whole = false): Promise<Turn<Native>> {
    const asked = await this.#asked(history, request);
    const relative = this.#live.bestFor(asked) ?? this.#live.relativeOf(asked);
    const isSame = relative !== undefined && relative.model === request.model && relative.hasBegunAs(asked);
    const found = whole ? undefined : await this.#caughtUp(isSame ? relative : undefined, asked);
    const options = this.#maker.managerOptions(asked);
    const manager =
      found === undefined
        ? await this.#maker.read(asked.messages, this.#maker.manager(options, relative))
        : await this.#maker.inSlices(restoreInSteps(found.conversation.manager.snapshot(), options));
    manager.setTools(request.tools);
    const conversation = new Conversation(this.codec, manager, this.warnings, request);
    const live = new Live(conversation, found?.key ?? keyOf(asked), asked);
    live.take(asked);
    return new Turn(this, live, asked);
  }

  async #asked(history: Native, request: RequestOf): Promise<Asked<Native>> {
    const said = await this.#maker.inSlices(decoded(this.codec, history));
    const messages = resultsInPlace(said);
    const { tools, options } = request;
    const cache = [history, tools, options].map((part) => askedCacheIn(part)).reduce(longer);
    const scope = await digest([this.codec.name, request.provider, request.model, request.scope].join('\n'));
    const prefixes = await this.#maker.inSlices(prefixesInSteps(messages));
    return {
      ...prefixes,
      history,
      messages,
      scope,
      cache,
      isMended: messages !== said,
      request: { ...request, tools: offered(tools) },
      learned: this.#windows.of(request),
      at: this.#now(),
    };
  }

  /** The conversation as another process has it by now, in the place of the one that is known here. */
  async #caughtUp(known: Live<Native> | undefined, asked: Asked<Native>): Promise<Live<Native> | undefined> {
    const isFork = known !== undefined && !known.isFreeFor(asked);
    const shared = isFork ? known.shared?.fork(known, asked) : (known?.shared ?? this.#maker.sharedOf(asked));
    if (shared === undefined) return known;
    try {
      const left = await shared.newer(asked, (key) => this.#maker.managerOptions(asked, key));
      if (left === undefined || this.#live.bestFor(asked) !== known) return known;
      const { manager, key } = left;
      const live = this.#maker.made(manager, key, asked, shared);
      live.know(historyOf(manager), asked.hashes);
      if (known !== undefined && !isFork) this.#live.forget(known);
      this.#live.remember(live);
      return live;
    } catch {
      this.#storeFailed('read from');
      return known;
    }
  }

  async shared(live: Live<Native>, asked: Asked<Native>): Promise<Live<Native>> {
    try {
      if (await live.shared?.save(live.conversation.manager, live.key, asked)) return live;
      const newer = await this.#caughtUp(live, asked);
      // What the other one stored may be of another history: then it is ours that counts from now on.
      if (newer === live || newer === undefined)
        await live.shared?.save(live.conversation.manager, live.key, asked);
      else this.#used(newer, asked);
      return newer ?? live;
    } catch {
      this.#storeFailed('written to');
      return live;
    }
  }

  /** Takes what a refused request says of the window, so that the next ones are smaller from the start. */
  learned(live: Live<Native>, asked: Asked<Native>, error: unknown): void {
    const { currentTokens, maxTokens } = live.conversation.manager.stats();
    const { limit: stated } = overflowFigures(error);
    // Who names more than is thought counts otherwise, and bytes or images say nothing of a window.
    const says = overflowKind(error) === 'tokens' && (stated === undefined || stated < maxTokens);
    if (says) this.#windows.refused(asked.request, stated, currentTokens - 1);
    const known = this.#windows.of(asked.request);
    const next = Math.min(known ?? Infinity, maxTokens);
    this.#maker.suit(live, { ...asked, learned: next === maxTokens ? live.learned : next });
  }

  /** Takes what an answer says: a request that was answered fits. */
  fitted({ request }: Asked<Native>, tokens: number): void {
    this.#windows.answered(request, tokens);
  }

  #storeFailed(verb: string): void {
    this.warnings.once(
      'store-failed',
      `A conversation could not be ${verb} the store. It goes on in memory.`,
    );
  }

  /**
   * Nothing is awaited between finding and taking, because another request may arrive in between.
   * @param other a conversation to go on in if none in memory is free for this one
   */
  #begin(asked: Asked<Native>, other: Live<Native>): Turn<Native> {
    const best = this.#live.bestFor(asked);
    const found = best?.isFreeFor(asked) ? best : other;
    const live = found.isFreeFor(asked) ? found : this.#maker.fork(found, asked);
    this.#maker.suit(live, asked);
    live.conversation.offer(asked.request.tools);
    this.#used(live, asked);
    for (const other of this.#live) other.hear(asked);
    return new Turn(this, live, asked);
  }

  /**
   * A conversation of its own for a turn that has fallen behind: another request has taken the conversation further. Turns that say the
   * same share it.
   */
  separate(live: Live<Native>, asked: Asked<Native>): Live<Native> {
    const known = this.#live.bestFor(asked);
    return this.#used(known?.says(asked) ? known : this.#maker.fork(live, asked), asked);
  }

  #used(live: Live<Native>, asked: Asked<Native>): Live<Native> {
    live.take(asked);
    this.#live.remember(live);
    return live;
  }
}

/** Decoding is one piece: it waits until a slice begins. */
function* decoded<Native>(codec: Codec<Native>, history: Native): Steps<readonly Message[]> {
  yield;
  return codec.toMessages(history);
}
