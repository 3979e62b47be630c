import { anthropicCodec } from '@ctx/codec-anthropic';
import type { Message } from '@ctx/core';
import type { Atom } from '../atoms.js';
import { occursIn } from '../atoms.js';
import type { BenchSession } from '../bench-session.js';
import { CachedCost } from '../cached-cost.js';
import type { Candidate } from '../candidates/candidate.js';
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

export interface ReplayRecallOptions extends ReplayOptions {
  /** Tokens of an answer. @default 1000 */
  readonly recallTokens?: number;
}

/**
 * Replays a session as `replay` does. If the view lacks an atom that a step uses, the agent first makes one recall: with the words of the step
 * apart from all that is missing and, if the view names the sources, in those. The recall and its answer are messages of the conversation from
 * then on, and ask for a request of their own. Undefined if `replay` is.
 */
export async function replayWithRecall(
  session: BenchSession,
  candidate: Candidate,
  { limit, tokensOf, common, recallTokens = 1_000 }: ReplayRecallOptions,
): Promise<ReplayRecall | undefined> {
  const { messages, model } = session;
  if (totalTokens(messages, tokensOf) <= limit) return undefined;
  const replayed = candidate.replay?.({ model, limit, tokensOf });
  if (replayed === undefined || candidate.kind === 'control') return undefined;
  const used = usedAtoms(session, common);
  const left = new LeftView(messages, tokensOf);
  const costs = { whole: new CachedCost(tokensOf), view: new CachedCost(tokensOf) };
  let [requests, uses, missesBefore, misses, recalls, overflows, invalid] = [0, 0, 0, 0, 0, 0, 0];
  const requested = async () => {
    const view = await replayed.view();
    costs.view.add(view);
    if (totalTokens(view, tokensOf) > limit) overflows += 1;
    if (anthropicCodec.validate(anthropicCodec.fromMessages(view)).length > 0) invalid += 1;
    return view;
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      let view = await requested();
      costs.whole.add(messages.slice(0, index));
      requests += 1;
      const atoms = used[index] ?? [];
      uses += atoms.length;
      const lacking = atoms.filter((atom) => !holds(view, atom));
      missesBefore += lacking.length;
      if (lacking.length > 0) {
        await left.update(view, index);
        const input = { ...sourcesNamed(left, lacking, view, index), query: without(spokenBy(message), lacking) };
        const answer = await left.recalled(input, recallTokens);
        recalls += 1;
        for (const one of exchangeOf(recalls, input, answer)) replayed.append(one);
        view = await requested();
      }
      misses += atoms.filter((atom) => !holds(view, atom)).length;
    }
    replayed.append(message);
  }
  return {
    candidate: candidate.name,
    session: session.id,
    source: session.source,
    limit,
    requests,
    uses,
    missesBefore,
    misses,
    recalls,
    cost: costs.whole.total === 0 ? 1 : costs.view.total / costs.whole.total,
    overflows,
    invalid,
  };
}

/** Handles in one recall; a model rarely names more. */
const mostRefs = 3;

/** The handles of messages with what is lacking, if the view names the source of each. */
function sourcesNamed(
  left: LeftView,
  lacking: readonly Atom[],
  view: readonly Message[],
  before: number,
): { readonly ref?: string } {
  const seen = view.map(textOf).join('\n');
  const refs = new Set<string>();
  for (const atom of lacking) {
    const source = left.messages.findLastIndex(
      (message, index) => index < before && holds([message], atom) && isNamed(left, index, atom, seen),
    );
    if (source < 0) return {};
    refs.add(`#m${source + 1}`);
  }
  return refs.size > mostRefs ? {} : { ref: [...refs].join(' ') };
}

/** Whether a view names the file or the command that an atom of a message was said under, or the message itself. */
function isNamed(left: LeftView, index: number, atom: Atom, seen: string): boolean {
  if (occursIn(`#m${index + 1}`, seen)) return true;
  return left
    .entries(index)
    .some(
      ({ path, heading, text }) =>
        occursIn(atom, text) && (path === undefined ? heading.includes(' ') && seen.includes(heading) : occursIn(path, seen)),
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
