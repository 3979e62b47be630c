import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';
import { type Atom, atomsOf, isGeneral } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import { CachedCost } from './cached-cost.js';
import type { Candidate } from './candidates/candidate.js';
import { type CountTokens, totalTokens } from './count-tokens.js';
import { type EditSight, seenEditsOf, sightOf } from './edits.js';
import { firstLookOf } from './first-look.js';
import { holds, PassageSearch } from './search.js';
import { spokenBy, toolWordsOf } from './spoken.js';

/** Limits of a request that sessions are replayed under, in tokens. */
export const replayLimits: readonly number[] = [32_000, 64_000];

/** A session replayed under a limit with one candidate. */
export interface ReplayResult {
  readonly candidate: string;
  readonly kind: Candidate['kind'];
  readonly session: string;
  readonly source: string;
  readonly limit: number;
  /** Requests: messages of the assistant. */
  readonly requests: number;
  /** The number of used atoms that the transcript contained. */
  readonly uses: number;
  /** The number of them that were not in the view. */
  readonly misses: number;
  /** The number of them whose line was not in the view with the lines around it, wherever they were said. Includes the misses. */
  readonly passageMisses: number;
  /** Calls that edit a text that the agent has seen. */
  readonly edits: number;
  /** The number of them for which all lines of that text were in the view. */
  readonly editsWhole: number;
  /** The number of them for which these lines stood next to each other in one message of the view. */
  readonly editsBlock: number;
  /** Mean tokens of the views at these calls; 0 without such calls. */
  readonly editViewTokens: number;
  /** Compressions at which everything the model had not read yet fits the limit. */
  readonly looks: number;
  /** The number of them after which all of that was in the view word for word. */
  readonly looksWhole: number;
  /** The cost of the input, in tokens at full price, relative to no compression. */
  readonly cost: number;
  /** Requests over the limit. */
  readonly overflows: number;
  /** Requests that Anthropic would refuse. */
  readonly invalid: number;
  /** Requests that do not extend the one before. */
  readonly rewrites: number;
  /** Mean time of a request, including counting. */
  readonly msPerStep: number;
  /** Tokens of each request. */
  readonly tokens: readonly number[];
}

export interface ReplayOptions {
  readonly limit: number;
  readonly tokensOf: CountTokens;
  readonly common: ReadonlySet<Atom>;
  /** Sessions that never exceed this many tokens are left out. @default the limit */
  readonly atLeast?: number;
  /** Called before each message, with the share of the messages that is done, 0–1. */
  onStep?(done: number): void;
  /** Called with each request, for callers who need the messages. */
  onRequest?(request: ReplayRequest): void;
}

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

/**
 * Appends a session's messages one by one, and asks for the view before each message of the assistant. Undefined if the session never
 * exceeds the limit, and for a candidate that can't be replayed or is a control.
 */
export async function replay(
  session: BenchSession,
  candidate: Candidate,
  { limit, tokensOf, common, atLeast = limit, onStep, onRequest }: ReplayOptions,
): Promise<ReplayResult | undefined> {
  const { messages, model } = session;
  if (totalTokens(messages, tokensOf) <= atLeast) return undefined;
  const replayed = candidate.replay?.({ model, limit, tokensOf });
  if (replayed === undefined || candidate.kind === 'control') return undefined;
  const used = usedAtoms(session, common);
  const costs = { whole: new CachedCost(tokensOf), view: new CachedCost(tokensOf) };
  const tokens: number[] = [];
  const passages = new PassageSearch(messages);
  const sights = new EditSights(session);
  const looks = new FirstLooks();
  let [uses, misses, passageMisses, overflows, invalid, rewrites, ms] = [0, 0, 0, 0, 0, 0, 0];
  for (const [index, message] of messages.entries()) {
    onStep?.(index / messages.length);
    if (message.role === 'assistant') {
      const start = performance.now();
      const view = await replayed.view();
      ms += performance.now() - start;
      const size = totalTokens(view, tokensOf);
      tokens.push(size);
      if (size > limit) overflows += 1;
      if (anthropicCodec.validate(anthropicCodec.fromMessages(view)).length > 0) invalid += 1;
      costs.whole.add(messages.slice(0, index));
      const isCompression = !costs.view.add(view);
      if (isCompression) rewrites += 1;
      const look = isCompression
        ? firstLookOf(messages.slice(0, index), view, { limit, tokensOf })
        : undefined;
      const edit = sights.add(index, view, size);
      looks.add(look);
      const atoms = used[index] ?? [];
      uses += atoms.length;
      const held = atoms.filter((atom) => holds(view, atom));
      misses += atoms.length - held.length;
      const missed = atoms.filter((atom) => !held.includes(atom));
      onRequest?.({
        index,
        view,
        used: atoms,
        missed,
        edit,
        look,
        cost: costs.view.total,
        wholeCost: costs.whole.total,
      });
      passageMisses += atoms.length - held.filter((atom) => passages.isIn(view, atom, index)).length;
    }
    const start = performance.now();
    replayed.append(message);
    ms += performance.now() - start;
  }
  return {
    candidate: candidate.name,
    kind: candidate.kind,
    session: session.id,
    source: session.source,
    limit,
    requests: tokens.length,
    uses,
    misses,
    passageMisses,
    ...sights.figures,
    ...looks.figures,
    cost: costs.whole.total === 0 ? 1 : costs.view.total / costs.whole.total,
    overflows,
    invalid,
    rewrites,
    msPerStep: ms / Math.max(1, tokens.length),
    tokens,
  };
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

type UsedAtoms = readonly (readonly Atom[] | undefined)[];

const usedBySession = new WeakMap<BenchSession, WeakMap<ReadonlySet<Atom>, UsedAtoms>>();

/** For each assistant message, the atoms that it uses and an earlier message contains, apart from the system prompt. */
export function usedAtoms(session: BenchSession, common: ReadonlySet<Atom>): UsedAtoms {
  const byCommon = usedBySession.get(session) ?? new WeakMap<ReadonlySet<Atom>, UsedAtoms>();
  usedBySession.set(session, byCommon);
  const known = byCommon.get(common);
  if (known !== undefined) return known;
  const { messages } = session;
  const system = messages.filter(({ role }) => role === 'system');
  const toolWords = toolWordsOf(messages);
  const used = messages.map((message, index) =>
    message.role !== 'assistant'
      ? undefined
      : [...atomsOf(spokenBy(message))].filter(
          (atom) =>
            !isGeneral(atom) &&
            !common.has(atom) &&
            !toolWords.has(atom) &&
            !holds(system, atom) &&
            holds(messages.slice(0, index), atom),
        ),
  );
  byCommon.set(common, used);
  return used;
}
