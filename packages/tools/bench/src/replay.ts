import { type Atom, atomsOf, isGeneral } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import type { CachePrices, RequestPrices } from './cached-cost.js';
import type { Candidate } from './candidates/candidate.js';
import { type CountTokens, totalTokens } from './count-tokens.js';
import { holds } from './passages.js';
import { remembered } from './remembered.js';
import { ReplayFigures, type ReplayRequest } from './replay-figures.js';
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
  /** What candidates reckon with. @default those of most models */
  readonly prices?: CachePrices | undefined;
  /** Those of each request, in order. @default `prices` for all */
  readonly requestPrices?: readonly RequestPrices[] | undefined;
  /** Called before each message, with the share of the messages that is done, 0–1. */
  onStep?(done: number): void;
  /** Called with each request, for callers who need the messages. */
  onRequest?(request: ReplayRequest): void;
}

/**
 * Appends a session's messages one by one, and asks for the view before each message of the assistant. Undefined if the session never
 * exceeds the limit, and for a candidate that can't be replayed or is a control.
 */
export async function replay(
  session: BenchSession,
  candidate: Candidate,
  { limit, tokensOf, common, prices, requestPrices, onStep, onRequest }: ReplayOptions,
): Promise<ReplayResult | undefined> {
  const { messages, model } = session;
  if (totalTokens(messages, tokensOf) <= limit) return undefined;
  const replayed = candidate.replay?.({ model, limit, tokensOf, prices });
  if (replayed === undefined || candidate.kind === 'control') return undefined;
  const used = usedIn(session)(common);
  const figures = new ReplayFigures(session, { limit, tokensOf, prices, requestPrices });
  let ms = 0;
  for (const [index, message] of messages.entries()) {
    onStep?.(index / messages.length);
    if (message.role === 'assistant') {
      const start = performance.now();
      const view = await replayed.view();
      ms += performance.now() - start;
      const request = figures.add(index, view, used[index] ?? []);
      onRequest?.(request);
    }
    const start = performance.now();
    replayed.append(message);
    ms += performance.now() - start;
  }
  const { result } = figures;
  return {
    candidate: candidate.name,
    kind: candidate.kind,
    session: session.id,
    source: session.source,
    limit,
    ...result,
    msPerStep: ms / Math.max(1, result.requests),
  };
}

type UsedAtoms = readonly (readonly Atom[] | undefined)[];

/** For each assistant message, the atoms that it uses and an earlier message contains, apart from the system prompt. */
const usedIn = remembered(({ messages }: BenchSession) => {
  const system = messages.filter(({ role }) => role === 'system');
  const toolWords = toolWordsOf(messages);
  return remembered(
    (common: ReadonlySet<Atom>): UsedAtoms =>
      messages.map((message, index) =>
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
      ),
    new WeakMap(),
  );
}, new WeakMap());
