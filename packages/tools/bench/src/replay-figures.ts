import { anthropicCodec } from '@ctx/codec-anthropic';
import { type Message, partsOf, partText } from '@ctx/core';
import type { Atom } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import { CachedCost, type CachePrices, type RequestPrices } from './cached-cost.js';
import { type CountTokens, totalTokens } from './count-tokens.js';
import { seenEditsOf, sightOf } from './edits.js';
import { holds, PassageSearch } from './passages.js';

/** One request of a replay. */
export interface ReplayRequest {
  /** Position of the message in the session that answered it. */
  readonly index: number;
  readonly view: readonly Message[];
  /** The atoms that the answer uses and an earlier message contains. */
  readonly used: readonly Atom[];
  /** Those of them that the view does not hold. */
  readonly missed: readonly Atom[];
  /** Price of all requests so far, in tokens at full price or in that of the requests' own prices: of the views, and of the whole conversation. */
  readonly cost: number;
  readonly wholeCost: number;
}

/** Adds up what the requests of one replay show. */
export class ReplayFigures {
  readonly #tokens: number[] = [];
  readonly #whole: CachedCost;
  readonly #view: CachedCost;
  readonly #passages: PassageSearch;
  readonly #counts = {
    uses: 0,
    misses: 0,
    passageMisses: 0,
    overflows: 0,
    invalid: 0,
    rewrites: 0,
    edits: 0,
    editsWhole: 0,
    editsBlock: 0,
    looks: 0,
    looksWhole: 0,
  };
  /** Tokens of the views at edits. */
  #editTokens = 0;

  constructor(
    readonly session: BenchSession,
    readonly options: {
      readonly limit: number;
      readonly tokensOf: CountTokens;
      readonly prices?: CachePrices | undefined;
      readonly requestPrices?: readonly RequestPrices[] | undefined;
    },
  ) {
    const { tokensOf, prices } = options;
    this.#whole = new CachedCost(tokensOf, prices);
    this.#view = new CachedCost(tokensOf, prices);
    this.#passages = new PassageSearch(session.messages);
  }

  /**
   * @param index position of the message that answers the view
   * @param used the atoms that it uses and an earlier message contains
   */
  add(index: number, view: readonly Message[], used: readonly Atom[]): ReplayRequest {
    const { limit, tokensOf } = this.options;
    const history = this.session.messages.slice(0, index);
    const size = totalTokens(view, tokensOf);
    const prices = this.options.requestPrices?.[this.#tokens.length];
    const isCompression = !this.#view.add(view, prices);
    this.#whole.add(history, prices);
    this.#tokens.push(size);
    const held = used.filter((atom) => holds(view, atom));
    const missed = used.filter((atom) => !held.includes(atom));
    const whole = held.filter((atom) => this.#passages.isIn(view, atom, index));
    const replaced = seenEditsOf(this.session)[index];
    const edit = replaced && sightOf(replaced, view);
    const look = isCompression ? firstLookOf(history, view, this.options) : undefined;
    const counts = this.#counts;
    counts.uses += used.length;
    counts.misses += missed.length;
    counts.passageMisses += used.length - whole.length;
    counts.overflows += Number(size > limit);
    counts.invalid += Number(anthropicCodec.validate(anthropicCodec.fromMessages(view)).length > 0);
    counts.rewrites += Number(isCompression);
    counts.edits += Number(edit !== undefined);
    counts.editsWhole += Number(edit?.whole === true);
    counts.editsBlock += Number(edit?.block === true);
    counts.looks += Number(look !== undefined);
    counts.looksWhole += Number(look === true);
    if (edit !== undefined) this.#editTokens += size;
    return { index, view, used, missed, cost: this.#view.total, wholeCost: this.#whole.total };
  }

  get result() {
    const [whole, view] = [this.#whole.total, this.#view.total];
    return {
      ...this.#counts,
      editViewTokens: this.#editTokens / Math.max(1, this.#counts.edits),
      requests: this.#tokens.length,
      cost: whole === 0 ? 1 : view / whole,
      tokens: this.#tokens,
    };
  }
}

/** What the model has not read yet: everything after its newest message. */
export function unreadOf(history: readonly Message[]): readonly Message[] {
  return history.slice(history.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/**
 * Whether a view holds every text that the model has not read yet word for word. Undefined if these texts, the system prompt and the newest
 * user message are over the limit by themselves.
 */
export function firstLookOf(
  history: readonly Message[],
  view: readonly Message[],
  { limit, tokensOf }: { readonly limit: number; readonly tokensOf: CountTokens },
): boolean | undefined {
  const unread = unreadOf(history);
  const newestUser = history.findLast(({ role }) => role === 'user');
  const needed = new Set([...history.filter(({ role }) => role === 'system'), ...unread]);
  if (newestUser !== undefined) needed.add(newestUser);
  if (totalTokens([...needed], tokensOf) > limit) return undefined;
  const shown = new Set(view);
  const texts = view.flatMap(textsOf);
  return unread.every(
    (message) =>
      shown.has(message) || textsOf(message).every((text) => texts.some((other) => other.includes(text))),
  );
}

function textsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) => partText(part) ?? []);
}
