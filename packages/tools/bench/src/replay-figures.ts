import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';
import type { Atom } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import { CachedCost } from './cached-cost.js';
import { type CountTokens, totalTokens } from './count-tokens.js';
import { type EditSight, seenEditsOf, sightOf } from './edits.js';
import { firstLookOf } from './first-look.js';
import { holds, PassageSearch } from './search.js';

/** One request of a replay. */
export interface ReplayRequest {
  /** Position of the message in the session that answered it. */
  readonly index: number;
  readonly view: readonly Message[];
  /** The atoms that the answer uses and an earlier message contains. */
  readonly used: readonly Atom[];
  /** Those of them that the view does not hold. */
  readonly missed: readonly Atom[];
  /** How much of what the answer replaces the view shows, if the answer edits a text that was seen. */
  readonly edit: EditSight | undefined;
  /** Whether all that was unread is in the view word for word, if the request is a compression and it fits. */
  readonly look: boolean | undefined;
  /** Price of all requests so far, in tokens at full price: of the views, and of the whole conversation. */
  readonly cost: number;
  readonly wholeCost: number;
}

/** Adds up what the requests of one replay show. */
export class ReplayFigures {
  readonly #tokens: number[] = [];
  readonly #whole: CachedCost;
  readonly #view: CachedCost;
  readonly #passages: PassageSearch;
  readonly #sights: EditSights;
  readonly #looks = new FirstLooks();
  readonly #counts = { uses: 0, misses: 0, passageMisses: 0, overflows: 0, invalid: 0, rewrites: 0 };

  constructor(
    readonly session: BenchSession,
    readonly options: { readonly limit: number; readonly tokensOf: CountTokens },
  ) {
    const { tokensOf } = options;
    this.#whole = new CachedCost(tokensOf);
    this.#view = new CachedCost(tokensOf);
    this.#passages = new PassageSearch(session.messages);
    this.#sights = new EditSights(session);
  }

  /**
   * @param index position of the message that answers the view
   * @param used the atoms that it uses and an earlier message contains
   */
  add(index: number, view: readonly Message[], used: readonly Atom[]): ReplayRequest {
    const { limit, tokensOf } = this.options;
    const history = this.session.messages.slice(0, index);
    const size = totalTokens(view, tokensOf);
    const isCompression = !this.#view.add(view);
    this.#whole.add(history);
    this.#tokens.push(size);
    const held = used.filter((atom) => holds(view, atom));
    const missed = used.filter((atom) => !held.includes(atom));
    const counts = this.#counts;
    if (size > limit) counts.overflows += 1;
    if (anthropicCodec.validate(anthropicCodec.fromMessages(view)).length > 0) counts.invalid += 1;
    if (isCompression) counts.rewrites += 1;
    counts.uses += used.length;
    counts.misses += missed.length;
    counts.passageMisses +=
      used.length - held.filter((atom) => this.#passages.isIn(view, atom, index)).length;
    const look = isCompression ? firstLookOf(history, view, this.options) : undefined;
    this.#looks.add(look);
    const edit = this.#sights.add(index, view, size);
    return { index, view, used, missed, edit, look, cost: this.#view.total, wholeCost: this.#whole.total };
  }

  get result() {
    const [whole, view] = [this.#whole.total, this.#view.total];
    return {
      ...this.#counts,
      ...this.#sights.figures,
      ...this.#looks.figures,
      requests: this.#tokens.length,
      cost: whole === 0 ? 1 : view / whole,
      tokens: this.#tokens,
    };
  }
}

/** Counts how much of what each edit replaces was in the view. */
class EditSights {
  #whole = 0;
  #block = 0;
  readonly #sizes: number[] = [];

  constructor(readonly session: BenchSession) {}

  /** @param index position of the message that answers the view */
  add(index: number, view: readonly Message[], tokens: number): EditSight | undefined {
    const texts = seenEditsOf(this.session)[index];
    if (texts === undefined) return undefined;
    const sight = sightOf(texts, view);
    this.#whole += Number(sight.whole);
    this.#block += Number(sight.block);
    this.#sizes.push(tokens);
    return sight;
  }

  get figures() {
    const edits = this.#sizes.length;
    const tokens = this.#sizes.reduce((sum, size) => sum + size, 0);
    return {
      edits,
      editsWhole: this.#whole,
      editsBlock: this.#block,
      editViewTokens: tokens / Math.max(1, edits),
    };
  }
}

/** Counts the compressions that showed the model all it had not read. */
class FirstLooks {
  #looks = 0;
  #whole = 0;

  add(look: boolean | undefined): void {
    if (look === undefined) return;
    this.#looks += 1;
    this.#whole += Number(look);
  }

  get figures() {
    return { looks: this.#looks, looksWhole: this.#whole };
  }
}
