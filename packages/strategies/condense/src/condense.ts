import type { DependencyContainer, Edit, Plan, PlanContext } from '@ctx/core';
import { cutText, messageText, strategyFactory, strategyToken, summarizerToken } from '@ctx/core';
import * as z from 'zod';
import { createSummarizer } from './create-summarizer.js';
import { excerptBehind, hasSummary } from './summary-text.js';
import { notASummary } from './verdict.js';

/** Tokens. A reader needs 2,000 to 3,000 of a long session; what is longer repeats the excerpt. */
const longestSummary = 3000;
/** Of less room, the share that the summary may have. */
const summaryShare = 1 / 3;
/** Tokens: a shorter summary says too little for the price of asking. A limit. */
const shortestSummary = 64;
/** Of the messages in whose place a summary stands: core refuses one that is not a fifth shorter, and models write half as much again as they are asked for. */
const usefulShare = 0.5;
/** Tokens that two texts may have more together than apart. A limit. */
const joinTokens = 4;
/** Plans are made again, for a smaller room, if a view is still over the target. A limit. */
const mostPlans = 3;

/**
 * Puts a model's summary before an excerpt of the older messages. The summary takes up to a third of the room, and the strategy
 * `relevance` fills the rest. One call writes it, from the earlier summary and what was said since. Without a model only the excerpt is made.
 */
export const condense = strategyFactory({
  name: 'condense',
  emits: ({ excerpt }) => ['summarize', ...excerpt.emits],
  options: z.strictObject({
    maxSummaryTokens: z
      .int()
      .min(32)
      .optional()
      .describe('most tokens of a summary; by default a third of the target, at most 3000'),
  }),
  inject: { excerpt: strategyToken('relevance'), summarizer: summarizerToken },
  async plan(context, { maxSummaryTokens }, { excerpt, summarizer }): Promise<Plan> {
    const seen = withoutSummaries(context);
    const planFor = async (targetTokens: number) => excerpt.plan({ ...seen, targetTokens });
    const maxTokens =
      maxSummaryTokens ?? Math.min(longestSummary, Math.floor(roomOf(context) * summaryShare));
    const asks = maxTokens >= shortestSummary && summarizer.asks?.(context.contextWindow) !== false;
    const first = asks ? await planFor(context.targetTokens - maxTokens) : undefined;
    const tokensWith = async (edits: readonly Edit[]) =>
      (await context.inSlices(context.simulateInSteps(edits))).tokens;
    const host = first && hostOf(first.edits, context, maxTokens);
    if (host === undefined) {
      const plan = await planFor(context.targetTokens);
      const reason = plan.edits.length === 0 ? (excuseOf(context) ?? plan.reason) : plan.reason;
      return { ...plan, chosen: excerpt.name, ...(reason !== undefined && { reason }) };
    }
    const { about, merge } = host;
    const { messages } = merge;
    return {
      edits: [{ type: 'summarize', messages, about, maxTokens, placement: 'first', reason: 'summed up' }],
      finish: async (resolved) => {
        const { text: summary } = resolved[0] as Edit<'merge'>;
        let targetTokens = context.targetTokens - context.tokensOf(`${summary}\n\n`);
        for (let plans = 1; ; plans += 1) {
          const { edits } = await planFor(targetTokens);
          const whole = withSummary(edits, summary, context);
          const tokens = await tokensWith(whole ?? resolved);
          const over = tokens - context.targetTokens;
          if (over <= 0) return whole ?? resolved;
          targetTokens -= over;
          if (whole !== undefined && plans < mostPlans) continue;
          const longest = context.tokensOf(summary) - over - joinTokens;
          // A model that wrote more than it was asked for loses the middle of it, not all.
          const cut =
            longest >= maxTokens && cutText(summary, { maxTokens: longest, tokensOf: context.tokensOf });
          const shorter = cut && whole && withSummary(edits, cut, context);
          if (shorter && (await tokensWith(shorter)) <= context.targetTokens) return shorter;
          const { edits: alone } = await planFor(context.targetTokens);
          // If nothing reaches the target, the summary is not to blame.
          if ((await tokensWith(alone)) > context.targetTokens) return whole ?? resolved;
          throw notASummary('too long');
        }
      },
    };
  },
});

/** Why there is nothing to sum up, in Roo Code's words; undefined if there is. */
function excuseOf({ view }: PlanContext): string | undefined {
  const summary = view.findLastIndex(({ message }) => hasSummary(message));
  const since = view.slice(summary + 1).filter(({ message }) => message.role !== 'system').length;
  if (summary >= 0 && since <= 2) return 'Context was condensed recently; skipping this attempt';
  return since <= 1 ? 'Not enough messages to condense context' : undefined;
}

/** What the target leaves beside the messages that must stay. */
function roomOf({ view, targetTokens, maxTokens }: PlanContext): number {
  const staying = view.reduce((sum, { pinned, tokens }) => sum + (pinned ? tokens : 0), 0);
  return Math.max(0, Math.min(targetTokens, maxTokens) - staying);
}

/** The context as if earlier compressions had written excerpts only: an excerpt is made of what was said, not of a summary. */
function withoutSummaries(context: PlanContext): PlanContext {
  const view = context.view.map((one) =>
    hasSummary(one.message)
      ? {
          ...one,
          message: { ...one.message, content: excerptBehind(messageText(one.message)) } as typeof one.message,
        }
      : one,
  );
  return { ...context, view };
}

interface Host {
  /** The excerpt that the summary stands before. */
  readonly merge: Edit<'merge'>;
  /** The messages that the summary is about: all up to the next message of the user that stays. */
  readonly about: readonly string[];
}

/**
 * The newest excerpt that a summary may stand before: with it, it must still be shorter than the messages it replaces. A summary says nothing of
 * what came after a user message that stays behind it.
 */
function hostOf(
  edits: readonly Edit[],
  { view, tokensOf }: PlanContext,
  summaryTokens: number,
): Host | undefined {
  const merges = edits.filter((edit): edit is Edit<'merge'> => edit.type === 'merge');
  const named = new Set(merges.flatMap(({ messages }) => messages));
  for (const one of view.toReversed()) {
    const merge = merges.find(({ messages }) => messages.at(-1) === one.id);
    if (merge === undefined) continue;
    const own = new Set(merge.messages);
    const covered = view.reduce((sum, { id, tokens }) => sum + (own.has(id) ? tokens : 0), 0);
    if (tokensOf(merge.text) + summaryTokens >= covered || summaryTokens > covered * usefulShare) continue;
    const end = view.findIndex(
      ({ id, index, message }) => index > one.index && message.role === 'user' && !named.has(id),
    );
    const about = view.slice(0, end < 0 ? undefined : end).filter(({ message }) => message.role !== 'system');
    return { merge, about: about.map(({ id }) => id) };
  }
  return undefined;
}

/** The edits with the summary before the newest excerpt. An earlier summary that stands elsewhere leaves; undefined if there is no place for it. */
function withSummary(
  edits: readonly Edit[],
  summary: string,
  context: PlanContext,
): readonly Edit[] | undefined {
  const host = hostOf(edits, context, context.tokensOf(summary));
  if (host === undefined) return undefined;
  const named = new Set(
    edits.flatMap((edit) => ('messages' in edit ? (edit as Edit<'merge'>).messages : [])),
  );
  const stale = context.view.filter(({ id, message }) => hasSummary(message) && !named.has(id));
  return [
    ...edits.map((edit) =>
      edit === host.merge ? { ...host.merge, text: `${summary}\n\n${host.merge.text}` } : edit,
    ),
    ...stale.map(({ id, message }): Edit => {
      const text = excerptBehind(messageText(message));
      return { type: 'merge', messages: [id], text, placement: 'first', reason: 'summed up again' };
    }),
  ];
}

/** Registers `condense` under its name, and a summariser without a model if none is registered. It needs `relevance`. */
export function register(container: DependencyContainer): void {
  condense.register(container);
  if (container.isRegistered(summarizerToken, true)) return;
  container.register(summarizerToken, { useValue: createSummarizer() });
}
