import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';
import type { Atom } from '../atoms.js';
import { occursIn } from '../atoms.js';
import type { BenchSession } from '../bench-session.js';
import { CachedCost } from '../cached-cost.js';
import type { Candidate, Replayed } from '../candidates/candidate.js';
import { totalTokens } from '../count-tokens.js';
import { type ReplayOptions, usedAtoms } from '../replay.js';
import { holds } from '../search.js';
import { spokenBy, textOf } from '../spoken.js';
import { LeftView } from './left-view.js';
import { without } from './step-words.js';

/** A session replayed under a limit by an agent that recalls what it misses, at most once before each step. */
export interface ReplayRecall {
  readonly candidate: string;
  readonly session: string;
  readonly source: string;
  readonly limit: number;
  /** Tokens of an answer. */
  readonly recallTokens: number;
  /** Steps: messages of the assistant. */
  readonly requests: number;
  readonly uses: number;
  /** Used atoms that the view lacked before recall, and after it. */
  readonly missesBefore: number;
  readonly misses: number;
  readonly recalls: number;
  /** The cost of the input with all recalls and their requests, relative to no compression. */
  readonly cost: number;
  readonly overflows: number;
  readonly invalid: number;
}

interface ReplayRecallOptions extends ReplayOptions {
  /** Tokens of an answer. @default 2000 */
  readonly recallTokens?: number;
}

/**
 * Replays a session as `replay` does. If the view lacks an atom that a step uses, the agent first makes one recall: with the words of the step
 * apart from all that is missing and, if the view names sources of most of it, in those. The recall and its answer are messages of the conversation from
 * then on, and ask for a request of their own. Undefined if `replay` is.
 */
export async function replayWithRecall(
  session: BenchSession,
  candidate: Candidate,
  { limit, tokensOf, common, recallTokens = 2_000 }: ReplayRecallOptions,
): Promise<ReplayRecall | undefined> {
  const { messages, model } = session;
  if (totalTokens(messages, tokensOf) <= limit) return undefined;
  const replayed = candidate.replay?.({ model, limit, tokensOf });
  if (replayed === undefined || candidate.kind === 'control') return undefined;
  const used = usedAtoms(session, common);
  const whole = new CachedCost(tokensOf);
  const agent = new RecallingAgent(messages, replayed, { limit, tokensOf, recallTokens });
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      whole.add(messages.slice(0, index));
      await agent.step(index, used[index] ?? []);
    }
    replayed.append(message);
  }
  return {
    candidate: candidate.name,
    session: session.id,
    source: session.source,
    limit,
    recallTokens,
    ...agent.counted,
    cost: whole.total === 0 ? 1 : agent.cost.total / whole.total,
  };
}

type Counted = Pick<
  ReplayRecall,
  'requests' | 'uses' | 'missesBefore' | 'misses' | 'recalls' | 'overflows' | 'invalid'
>;

/** Makes the requests of a replay, and the recalls before them. */
class RecallingAgent {
  readonly counted: { -readonly [Name in keyof Counted]: number } = {
    requests: 0,
    uses: 0,
    missesBefore: 0,
    misses: 0,
    recalls: 0,
    overflows: 0,
    invalid: 0,
  };
  readonly cost: CachedCost;
  readonly #left: LeftView;

  constructor(
    readonly messages: readonly Message[],
    readonly replayed: Replayed,
    readonly options: Required<Pick<ReplayRecallOptions, 'limit' | 'tokensOf' | 'recallTokens'>>,
  ) {
    this.cost = new CachedCost(options.tokensOf);
    this.#left = new LeftView(messages, options.tokensOf);
  }

  /** Requests the message at a position, which uses these atoms. */
  async step(index: number, atoms: readonly Atom[]): Promise<void> {
    const { counted } = this;
    counted.requests += 1;
    counted.uses += atoms.length;
    const view = await this.#requested();
    const lacking = atoms.filter((atom) => !holds(view, atom));
    counted.missesBefore += lacking.length;
    if (lacking.length === 0) return;
    await this.#recall(index, lacking, view);
    const after = await this.#requested();
    counted.misses += atoms.filter((atom) => !holds(after, atom)).length;
  }

  async #recall(index: number, lacking: readonly Atom[], view: readonly Message[]): Promise<void> {
    await this.#left.update(view, index);
    const words = without(spokenBy(this.messages[index] as Message), lacking);
    const input = { ...sourcesNamed(this.#left, lacking, view, index), query: words };
    const answer = await this.#left.recalled(input, this.options.recallTokens);
    this.counted.recalls += 1;
    for (const message of exchangeOf(this.counted.recalls, input, answer)) this.replayed.append(message);
  }

  async #requested(): Promise<readonly Message[]> {
    const view = await this.replayed.view();
    this.cost.add(view);
    if (totalTokens(view, this.options.tokensOf) > this.options.limit) this.counted.overflows += 1;
    if (anthropicCodec.validate(anthropicCodec.fromMessages(view)).length > 0) this.counted.invalid += 1;
    return view;
  }
}

/** Handles in one recall; a model rarely names more. */
const mostRefs = 3;

/** The handles of the messages that hold most of what is lacking, among those that the view names. None if they hold less than half of it. */
function sourcesNamed(
  left: LeftView,
  lacking: readonly Atom[],
  view: readonly Message[],
  before: number,
): { readonly ref?: string } {
  const seen = view.map(textOf).join('\n');
  const sources = left.messages.slice(0, before).map((message, index) => ({
    index,
    atoms: lacking.filter((atom) => holds([message], atom) && isNamed(left, index, atom, seen)),
  }));
  const found = new Set<Atom>();
  const refs: string[] = [];
  while (refs.length < mostRefs) {
    const gain = ({ atoms }: { readonly atoms: readonly Atom[] }) =>
      atoms.filter((atom) => !found.has(atom)).length;
    // Of equal ones the newest.
    const best = sources.reduceRight((one, other) => (gain(other) > gain(one) ? other : one));
    if (gain(best) === 0) break;
    for (const atom of best.atoms) found.add(atom);
    refs.push(`#m${best.index + 1}`);
  }
  return found.size * 2 < lacking.length || refs.length === 0 ? {} : { ref: refs.join(' ') };
}

/** Whether a view names the file or the command that an atom of a message was said under, or the message itself. */
function isNamed(left: LeftView, index: number, atom: Atom, seen: string): boolean {
  if (occursIn(`#m${index + 1}`, seen)) return true;
  return left
    .entries(index)
    .some(
      ({ path, heading, text }) =>
        occursIn(atom, text) &&
        (path === undefined ? heading.includes(' ') && seen.includes(heading) : occursIn(path, seen)),
    );
}

function exchangeOf(number: number, input: object, answer: string): Message[] {
  const toolCallId = `recall-${number}`;
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'recall', input }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId, toolName: 'recall', output: { type: 'text', value: answer } },
      ],
    },
  ];
}
