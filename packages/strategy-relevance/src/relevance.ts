import {
  type Edit,
  type MergeEdit,
  messageText,
  type Plan,
  type PlanContext,
  strategyFactory,
} from '@ctx/core';
import { excerptOf } from './excerpt.js';
import { intro, isExcerpt } from './excerpt-text.js';
import { optionsSchema, type RelevanceOptions } from './options.js';
import { Originals } from './originals.js';
import { type Reading, readView } from './reading.js';
import { type Shortened, shortenTexts } from './shorter-texts.js';
import { type Split, splitView, tokensOf } from './split-view.js';
import { leastSaved } from './weights.js';

/**
 * Keeps the newest exchanges whole and the user's messages word for word, and turns what is older into one message: lines word for word,
 * in order, under headings that say where each is from. They are chosen as a budgeted maximum coverage of what the conversation
 * speaks of (see `choose`). Every excerpt is written from the original messages, never from an older excerpt, as long as the
 * transcript has them.
 */
export const relevance = strategyFactory({
  name: 'relevance',
  emits: ['merge', 'replace'],
  options: optionsSchema,
  plan(context, options): Plan {
    if (context.currentTokens <= context.targetTokens) return nothing;
    const split = splitView(context, options);
    const originals = new Originals(context);
    const reading = readView(context, split, originals);
    const { edits, held } = shortenTexts(reading, context, originals);
    const before = edits.length === 0 ? context.currentTokens : context.simulate(edits).tokens;
    const isEnough = split.older.length === 0 || before <= context.targetTokens;
    const excerpt = isEnough
      ? undefined
      : withExcerpt(context, { split, reading, held, edits, before }, options);
    const plan = excerpt ?? { edits };
    if (plan.edits.length === 0) return nothing;
    return isWorthIt(plan, context)
      ? plan
      : { edits: [], reason: 'Nothing is new since the last excerpt, and another would save too little' };
  },
});

/** The edits with an excerpt of what is older; undefined if it would save nothing. */
function withExcerpt(
  context: PlanContext,
  { split, reading, held, edits, before }: Shorter,
  { explain, users }: RelevanceOptions,
): Plan | undefined {
  const others = context.simulate([excerptEdit(intro, split), ...edits]).tokens - context.tokensOf(intro);
  if (others + context.tokensOf(intro) >= before) return undefined;
  const maxTokens = context.targetTokens - others;
  const { text, kept, of, lines } = excerptOf(reading, {
    maxTokens,
    usersTokens: (maxTokens + split.apartTokens) * users - split.apartTokens,
    olderTokens: tokensOf(split.older),
    held,
    explain,
    tokensOf: (said) => context.tokensOf(said),
  });
  if (others + context.tokensOf(text) >= before) return undefined;
  return { edits: [excerptEdit(text, split), ...edits], notes: { kept, of, ...(explain && { lines }) } };
}

/** What is known of a view before its excerpt is written. */
interface Shorter extends Shortened {
  readonly split: Split;
  readonly reading: Reading;
  /** Tokens of the view with the edits. */
  readonly before: number;
}

const nothing: Plan = { edits: [], reason: 'No excerpt of what is older would be shorter' };

function excerptEdit(text: string, { older }: Split): Edit {
  const messages = older.flatMap((exchange) => exchange.messages.map(({ id }) => id));
  return { type: 'merge', messages, text, placement: 'first', reason: 'excerpted' };
}

/** Without news since the last excerpt, a plan that misses the target must save much, or each would save a little more. */
function isWorthIt({ edits }: Plan, { view, currentTokens, targetTokens, simulate }: PlanContext): boolean {
  const leaving = new Set(
    edits.flatMap((edit) => (edit.type === 'merge' ? (edit as MergeEdit).messages : [])),
  );
  const news = view.filter(({ id, message }) => leaving.has(id) && !isExcerpt(messageText(message)));
  if (edits.length === 0 || news.length > 0) return true;
  const { tokens } = simulate(edits);
  return tokens <= targetTokens || tokens <= currentTokens * (1 - leastSaved);
}

export const { register } = relevance;
