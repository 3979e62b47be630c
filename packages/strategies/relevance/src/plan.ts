import { type Edit, messageText, type Plan, type PlanContext, type Steps } from '@ctx/core';
import { excerptOf, headTokens, indexShare, intro, isExcerpt, mostUsers, rootFolderOf } from '@ctx/excerpt';
import { type CutResult, cutTexts } from './cut-texts.js';
import type { RelevanceOptions } from './options.js';
import { Originals } from './originals.js';
import { type Reading, readView } from './reading.js';
import { excerptEdit, excerptEdits, headsOf } from './segment-excerpts.js';
import { type Split, splitView } from './split-view.js';
import { leastSaved, usersFloor } from './weights.js';

export { defaultOptions } from './weights.js';

/** The plan of `relevance`. */
export function* planRelevance(context: PlanContext, options: RelevanceOptions): Steps<Plan> {
  if (context.currentTokens <= context.targetTokens) return nothing;
  const split = yield* splitView(context, options);
  const reading = yield* readView(context, split);
  const cut = yield* cutTexts(split.cut, reading, context, new Originals(context));
  const { held, edits } = cut;
  const before = yield* tokensAfter({ edits }, context);
  const isEnough = split.segments.length === 0 || before <= context.targetTokens;
  const excerpt = isEnough
    ? undefined
    : yield* withExcerpt(context, { split, reading, held, edits, before }, options);
  const plan = excerpt ?? { edits };
  if (plan.edits.length === 0) return nothing;
  yield;
  return isWorthIt(plan, context)
    ? plan
    : { edits: [], reason: 'Nothing is new since the last excerpt, and another one would save too little' };
}

function* tokensAfter({ edits }: Plan, { currentTokens, simulateInSteps }: PlanContext): Steps<number> {
  return edits.length === 0 ? currentTokens : (yield* simulateInSteps(edits)).tokens;
}

/** Adds an excerpt of the older messages to the edits; undefined if it would save nothing. */
function* withExcerpt(
  context: PlanContext,
  { split, reading, held, edits, before }: CutView,
  { users, actions }: RelevanceOptions,
): Steps<Plan | undefined> {
  const { segments } = split;
  const bare = yield* context.simulateInSteps([
    ...segments.map((segment) => excerptEdit(intro, segment)),
    ...edits,
  ]);
  const others = bare.tokens - segments.length * context.tokensOf(intro);
  if (bare.tokens >= before) return undefined;
  yield;
  const mostTokens = context.maxTokens - others;
  const heads = headsOf(segments, reading, {
    roomTokens: Math.min(context.maxTokens * indexShare, mostTokens / 2),
    tokensOf: (text) => context.tokensOf(text),
    actions,
  });
  const leftTokens = heads.reduce(
    (left, head) => left - headTokens(head, (text) => context.tokensOf(text)),
    mostTokens,
  );
  const excerptTokens = Math.min(mostTokens, context.targetTokens - others);
  const usersMost = context.contextWindow * usersFloor;
  const { sources, segmentOf, weights, tokensPerCharacter, olderLength, index } = reading;
  const excerpt = yield* excerptOf(sources, {
    excerptTokens,
    usersTokens: excerptTokens * users,
    usersWholeTokens: users === 0 ? 0 : Math.min(usersMost, excerptTokens * mostUsers),
    // What was done and what is wanted stays whatever the target: without it, the rest is done wrongly.
    window: { leftTokens, usersTokens: users === 0 ? 0 : usersMost },
    instructionsTokens:
      users === 0 ? 0 : Math.max(0, Math.min(context.contextWindow * indexShare, leftTokens)),
    groups: { of: segmentOf, heads, root: rootFolderOf(sources.map(({ section }) => section.heading)) },
    olderLength,
    index,
    weights,
    held,
    tokensPerCharacter,
    tokensOf: (said) => context.tokensOf(said),
    countInSteps: (said) => context.countInSteps(said),
  });
  const { texts, tokens, kept, of } = excerpt;
  if (others + tokens >= before) return undefined;
  return { edits: [...excerptEdits(segments, texts, heads, context), ...edits], notes: { kept, of } };
}

/** A view whose texts have been cut but which has no excerpt yet. */
interface CutView extends Pick<CutResult, 'held'> {
  /** What is done to the view apart from its excerpts. */
  readonly edits: readonly Edit[];
  readonly split: Split;
  readonly reading: Reading;
  /** Tokens of the view with the edits applied. */
  readonly before: number;
}

const nothing: Plan = { edits: [], reason: 'An excerpt of the older messages would not be shorter' };

/**
 * False if nothing new would leave and the plan saves little without reaching the target. Otherwise every compression would write a
 * slightly shorter excerpt.
 */
function isWorthIt(
  { edits }: Plan,
  { view, currentTokens, targetTokens, maxTokens, simulate }: PlanContext,
): boolean {
  const leaving = new Set(
    edits.flatMap((edit) => (edit.type === 'replace' ? [] : (edit as Edit<'merge'> | Edit<'drop'>).messages)),
  );
  const hasNews = view.some(({ id, message }) => leaving.has(id) && !isExcerpt(messageText(message)));
  if (edits.length === 0 || hasNews) return true;
  const { tokens } = simulate(edits);
  const fits = tokens <= maxTokens && maxTokens < currentTokens;
  return fits || tokens <= targetTokens || tokens <= currentTokens * (1 - leastSaved);
}
