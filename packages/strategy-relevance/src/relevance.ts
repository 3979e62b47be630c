import { type Edit, messageText, type Plan, type PlanContext, type Steps, strategyFactory } from '@ctx/core';
import type { MergeEdit } from '@ctx/core/kit';
import { describeUse, excerptOf, intro, isExcerpt } from '@ctx/excerpt';
import { type CutResult, cutTexts } from './cut-texts.js';
import { optionsSchema, type RelevanceOptions } from './options.js';
import { Originals } from './originals.js';
import { type Reading, readMessages, readView } from './reading.js';
import { type Split, splitView, tokensOf } from './split-view.js';
import { leastSaved } from './weights.js';

/**
 * Keeps the newest exchanges whole and the user's messages word for word, and merges the older messages into one excerpt: verbatim
 * lines, in order, under headings that name their sources. The lines are chosen by budgeted maximum coverage of the terms in the
 * conversation (see `choose`). Every excerpt is written from the original messages while the transcript has them, never from an older
 * excerpt.
 */
export const relevance = strategyFactory({
  name: 'relevance',
  emits: ['merge', 'replace'],
  options: optionsSchema,
  plan(context, options): Promise<Plan> {
    return context.inSlices(planned(context, options));
  },
  read: (transcript) => readMessages(transcript),
});

function* planned(context: PlanContext, options: RelevanceOptions): Steps<Plan> {
  if (context.currentTokens <= context.targetTokens) return nothing;
  const split = yield* splitView(context, options);
  const plan = yield* planOf(split, context, options);
  if (split.apartTokens === 0 || (yield* tokensAfter(plan, context)) <= context.targetTokens) return plan;
  // What would stay outside the excerpt may be what is too much.
  const together = yield* planOf(yield* splitView(context, { ...options, users: 0 }), context, options);
  return (yield* tokensAfter(together, context)) <= context.targetTokens ? together : plan;
}

function* planOf(split: Split, context: PlanContext, options: RelevanceOptions): Steps<Plan> {
  const reading = yield* readView(context, split);
  const { edits, held } = yield* cutTexts(split.cut, reading, context, new Originals(context));
  const before = yield* tokensAfter({ edits }, context);
  const isEnough = split.older.length === 0 || before <= context.targetTokens;
  const excerpt = isEnough
    ? undefined
    : yield* withExcerpt(context, { split, reading, held, edits, before }, options);
  const plan = excerpt ?? { edits };
  if (plan.edits.length === 0) return nothing;
  yield;
  return isWorthIt(plan, context)
    ? plan
    : { edits: [], reason: 'Nothing is new since the last excerpt, and another would save too little' };
}

function* tokensAfter({ edits }: Plan, { currentTokens, simulateInSteps }: PlanContext): Steps<number> {
  return edits.length === 0 ? currentTokens : (yield* simulateInSteps(edits)).tokens;
}

/** Adds an excerpt of the older messages to the edits; undefined if it would save nothing. */
function* withExcerpt(
  context: PlanContext,
  { split, reading, held, edits, before }: CutView,
  { explain, users }: RelevanceOptions,
): Steps<Plan | undefined> {
  const bare = yield* context.simulateInSteps([excerptEdit(intro, split), ...edits]);
  const others = bare.tokens - context.tokensOf(intro);
  if (others + context.tokensOf(intro) >= before) return undefined;
  yield;
  const excerptTokens = context.targetTokens - others;
  const { sources, weights, tokensPerCharacter, index } = reading;
  const excerpt = yield* excerptOf(sources, {
    excerptTokens,
    usersTokens: (excerptTokens + split.apartTokens) * users - split.apartTokens,
    olderTokens: tokensOf(split.older),
    index,
    weights,
    held,
    tokensPerCharacter,
    tokensOf: (said) => context.tokensOf(said),
    countInSteps: (said) => context.countInSteps(said),
  });
  const { text, tokens, kept, of } = excerpt;
  if (others + tokens >= before) return undefined;
  const describe = (term: number) => describeUse(index.terms.term(term).key, index.use.of(term));
  const notes = { kept, of, ...(explain && { lines: excerpt.explain(describe) }) };
  return { edits: [excerptEdit(text, split), ...edits], notes };
}

/** A view whose texts have been cut but which has no excerpt yet. */
interface CutView extends CutResult {
  readonly split: Split;
  readonly reading: Reading;
  /** Tokens of the view with the edits applied. */
  readonly before: number;
}

const nothing: Plan = { edits: [], reason: 'No excerpt of what is older would be shorter' };

function excerptEdit(text: string, { older }: Split): Edit {
  const messages = older.flatMap((exchange) => exchange.messages.map(({ id }) => id));
  return { type: 'merge', messages, text, placement: 'first', reason: 'excerpted' };
}

/**
 * False if nothing new would leave and the plan saves little without reaching the target. Otherwise every compression would write a
 * slightly shorter excerpt.
 */
function isWorthIt({ edits }: Plan, { view, currentTokens, targetTokens, simulate }: PlanContext): boolean {
  const leaving = new Set(
    edits.flatMap((edit) => (edit.type === 'merge' ? (edit as MergeEdit).messages : [])),
  );
  const hasNews = view.some(({ id, message }) => leaving.has(id) && !isExcerpt(messageText(message)));
  if (edits.length === 0 || hasNews) return true;
  const { tokens } = simulate(edits);
  return tokens <= targetTokens || tokens <= currentTokens * (1 - leastSaved);
}

export const { register } = relevance;
