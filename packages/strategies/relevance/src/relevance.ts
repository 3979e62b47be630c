import { type Edit, messageText, type Plan, type PlanContext, type Steps, strategyFactory } from '@ctx/core';
import {
  describeUse,
  excerptOf,
  excerptSections,
  headTokens,
  intro,
  isExcerpt,
  type KeptLine,
  trailOf,
  workIntro,
} from '@ctx/excerpt';
import { type CutResult, cutTexts } from './cut-texts.js';
import { optionsSchema, type RelevanceOptions } from './options.js';
import { Originals } from './originals.js';
import { type Reading, readMessages, readView } from './reading.js';
import { type Segment, type Split, splitView, tokensOf as tokensIn } from './split-view.js';
import { instructionsFloor, leastSaved, mergedOverhead, trailShare } from './weights.js';

/**
 * Keeps the newest exchanges whole and the user's messages word for word, and merges the older messages into one excerpt: verbatim
 * lines, in order, under headings that name their sources. The lines are chosen by budgeted maximum coverage of the terms in the
 * conversation (see `choose`). Every excerpt is written from the original messages while the transcript has them, never from an older
 * excerpt.
 */
export const relevance = strategyFactory({
  name: 'relevance',
  emits: ['merge', 'drop', 'replace'],
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
  const isEnough = split.segments.length === 0 || before <= context.targetTokens;
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
  { explain, users, deeds }: RelevanceOptions,
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
  const heads = headsOf(split, reading, {
    roomTokens: Math.min(context.maxTokens * trailShare, mostTokens / 2),
    tokensOf: (text) => context.tokensOf(text),
    deeds,
  });
  const leftTokens = heads.reduce(
    (left, head) => left - headTokens(head, (text) => context.tokensOf(text)),
    mostTokens,
  );
  const excerptTokens = Math.min(mostTokens, context.targetTokens - others);
  const { sources, segmentOf, weights, tokensPerCharacter, olderLength, index } = reading;
  const excerpt = yield* excerptOf(sources, {
    excerptTokens,
    usersTokens: (excerptTokens + split.apartTokens) * users - split.apartTokens,
    // What was done and what is wanted stays whatever the target: without it, the rest is done wrongly.
    instructionsTokens:
      users === 0 ? 0 : Math.max(0, Math.min(context.maxTokens * instructionsFloor, leftTokens)),
    groups: { of: segmentOf, heads },
    messages: context.transcript.length,
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
  const written = excerptEdits(split, texts, heads, context);
  const describe = (term: number) => describeUse(index.terms.term(term).key, index.use.of(term));
  const lines = () => excerpt.explain(describe).filter((line) => isWritten(line, written));
  return { edits: [...written, ...edits], notes: { kept, of, ...(explain && { lines: lines() }) } };
}

/** Whether one of the excerpts has this line under its heading: that of another segment may not have been shorter. */
function isWritten(
  { heading, text }: Pick<KeptLine, 'heading' | 'text'>,
  excerpts: readonly Edit[],
): boolean {
  return excerpts
    .flatMap((edit) => (edit.type === 'merge' ? excerptSections((edit as Edit<'merge'>).text) : []))
    .some((one) => one.heading === heading && (one.text.includes(text) || heading.startsWith(text)));
}

/** An edit for each segment, unless its excerpt would not be shorter. */
function excerptEdits(
  { segments }: Split,
  texts: readonly (string | undefined)[],
  heads: readonly Head[],
  { view, minMessagesToKeep, tokensOf }: PlanContext,
): Edit[] {
  const leaving = segments.reduce(
    (sum, { exchanges }) => sum + exchanges.flatMap(({ messages }) => messages).length,
    0,
  );
  const merged = texts.filter((text) => text !== undefined).length;
  let lacking = minMessagesToKeep - (view.length - leaving) - merged;
  return segments.flatMap((segment, number) => {
    // As many messages as must stay were counted with an excerpt for each segment.
    const text = texts[number] ?? (lacking-- > 0 ? heads[number]?.intro : undefined);
    const isShorter = text === undefined || tokensOf(text) + mergedOverhead < tokensIn(segment.exchanges);
    return isShorter ? [excerptEdit(text, segment)] : [];
  });
}

/** The first line of each segment's excerpt, and what was done in it. The newest takes what room it needs, the others what that leaves. */
function headsOf(
  { segments }: Split,
  { sources, segmentOf }: Reading,
  { roomTokens, tokensOf, deeds }: HeadOptions,
): Head[] {
  let left = roomTokens;
  const fits = (text: string) => tokensOf(text) <= left;
  const heads: Head[] = [];
  for (const [number, { isWork }] of [...segments.entries()].reverse()) {
    const sections = sources.filter((_, at) => segmentOf[at] === number).map(({ section }) => section);
    const trail = trailOf(sections, { isNewest: number === segments.length - 1, fits, deeds });
    if (trail !== undefined) left -= tokensOf(trail.text);
    heads.unshift({ intro: isWork ? workIntro : intro, trail });
  }
  return heads;
}

/** The head of a segment's excerpt. */
type Head = NonNullable<Parameters<typeof excerptOf>[1]['groups']>['heads'][number];

interface HeadOptions extends Pick<Parameters<typeof trailOf>[1], 'deeds'> {
  readonly roomTokens: number;
  tokensOf(text: string): number;
}

/** A view whose texts have been cut but which has no excerpt yet. */
interface CutView extends CutResult {
  readonly split: Split;
  readonly reading: Reading;
  /** Tokens of the view with the edits applied. */
  readonly before: number;
}

const nothing: Plan = { edits: [], reason: 'No excerpt of what is older would be shorter' };

/** Merges a segment into its excerpt, or drops it if nothing of it is worth a line. */
function excerptEdit(text: string | undefined, { exchanges }: Segment): Edit {
  const messages = exchanges.flatMap((exchange) => exchange.messages.map(({ id }) => id));
  if (text === undefined) return { type: 'drop', messages, reason: 'excerpted' };
  return { type: 'merge', messages, text, placement: 'first', reason: 'excerpted' };
}

/**
 * False if nothing new would leave and the plan saves little without reaching the target. Otherwise every compression would write a
 * slightly shorter excerpt.
 */
function isWorthIt({ edits }: Plan, { view, currentTokens, targetTokens, simulate }: PlanContext): boolean {
  const leaving = new Set(
    edits.flatMap((edit) => (edit.type === 'replace' ? [] : (edit as Edit<'merge'> | Edit<'drop'>).messages)),
  );
  const hasNews = view.some(({ id, message }) => leaving.has(id) && !isExcerpt(messageText(message)));
  if (edits.length === 0 || hasNews) return true;
  const { tokens } = simulate(edits);
  return tokens <= targetTokens || tokens <= currentTokens * (1 - leastSaved);
}

export const { register } = relevance;
