import type { Edit } from '@ctx/core';
import {
  type DependencyContainer,
  type Exchange,
  exchangesOf,
  type PlanContext,
  scoreMessages,
  strategyFactory,
  summarizerToken,
  type ViewMessage,
} from '@ctx/core';
import { segmentsOf, sparing } from '@ctx/core/kit';
import { createSummarizer } from './create-summarizer.js';
import { messagesToKeep } from './messages-to-keep.js';
import { type CondenseOptions, type KeepOptions, optionsSchema } from './options.js';

/** Messages with fewer tokens than this are not summarised. */
const leastTokens = 200;
const summaryShare = 0.25;
/** Core rejects a summary that is not a fifth shorter than the messages it replaces. This leaves a margin for its heading. */
const usefulShare = 0.75;
const shortestSummary = 64;
/** A placeholder for the summary, to find out how large the view would be with one. */
const anyText = '.';
const notEnough = 'Not enough messages to condense context';

/**
 * Replaces old messages by one summary. The port `summarize` writes it, with a model or by extraction. An earlier summary becomes part
 * of the new one. Instructions, files and other facts that must not be lost are appended if the summary lacks them.
 */
export const condense = strategyFactory({
  name: 'condense',
  emits: ['summarize'],
  options: optionsSchema,
  plan(context, options) {
    const exchanges = exchangesOf(context.view);
    const kept = keptExchanges(exchanges, context, options);
    const old = exchanges.filter((exchange) => !exchange.pinned && !kept.has(exchange));
    const segments = segmentsOf(sparing(old, context, 1), context.view)
      .map((exchanges) => exchanges.flatMap((exchange) => exchange.messages))
      .toSorted((a, b) => tokensIn(b) - tokensIn(a));
    const some = segments.filter((messages) => excuseFor(messages) === undefined);
    if (some.length === 0) return { edits: [], reason: excuseFor(segments[0] ?? []) ?? notEnough };
    const abouts = some.map((messages) => ({
      messages: messages.map(({ id }) => id),
      placement: options.placement === 'last' ? ('last' as const) : ('first' as const),
      reason: 'summed up',
    }));
    const shortest = context.simulate(abouts.map((about) => ({ type: 'merge', text: anyText, ...about })));
    if (shortest.messages === context.view.length) return { edits: [], reason: notEnough };
    const others = shortest.tokens - some.length * context.tokensOf(anyText);
    const all = tokensIn(some.flat());
    const lengths = lengthsFor(context, {
      room: context.targetTokens - others,
      most: options.maxSummaryTokens,
    });
    return {
      edits: abouts.map((about, at): Edit<'summarize'> => {
        const covered = tokensIn(some[at] ?? []);
        const part = { share: covered / Math.max(1, all), of: some.length };
        return { type: 'summarize', ...about, ...lengthsOfPart(lengths, part, covered) };
      }),
    };
  },
});

/** How long the summaries may be together: as a model writes them, and with passages. */
interface Lengths {
  readonly written: number;
  readonly open: number;
}

/**
 * A model may use a quarter of the target, 256 to 8000 tokens. With passages, the summaries may use all the room that the target leaves.
 * A length that the options give replaces both.
 */
function lengthsFor(
  { targetTokens }: PlanContext,
  { room, most }: { readonly room: number; readonly most: number | undefined },
): Lengths {
  const written = most ?? Math.min(8000, Math.max(256, Math.floor(targetTokens * summaryShare)));
  return { written, open: most ?? Math.max(written, room) };
}

/** How long one of the summaries may be: its part of the lengths, and with passages at most three quarters of the messages it replaces. */
function lengthsOfPart(
  { written, open }: Lengths,
  { share, of }: { readonly share: number; readonly of: number },
  covered: number,
) {
  // Each gets the shortest length first, and then what its messages are of all.
  const partOf = (tokens: number) => {
    const shortest = Math.min(tokens, shortestSummary * of);
    return Math.floor(shortest / of + (tokens - shortest) * share);
  };
  const maxTokens = partOf(written);
  const useful = Math.min(partOf(open), Math.floor(covered * usefulShare));
  return { maxTokens, roomTokens: Math.max(Math.min(maxTokens, shortestSummary), useful) };
}

function tokensIn(messages: readonly ViewMessage[]): number {
  return messages.reduce((sum, message) => sum + message.tokens, 0);
}

/** Why there is nothing to summarise; undefined if there is. */
function excuseFor(messages: readonly ViewMessage[]): string | undefined {
  const isRecent = messages.some(({ message }) => message.summary === true);
  if (isRecent && messages.length <= 2) return 'Context was condensed recently; skipping this attempt';
  if (messages.length <= 1 || tokensIn(messages) < leastTokens) return notEnough;
  return undefined;
}

/** The exchanges that stay. Whole exchanges are kept, so that a call and its result stay together. */
function keptExchanges(
  exchanges: readonly Exchange[],
  context: PlanContext,
  { keep, placement }: CondenseOptions,
): ReadonlySet<Exchange> {
  const said = exchanges.filter(({ messages }) => messages.every(({ message }) => message.role !== 'system'));
  const kept = new Set(chosen(said, context, keep));
  const [first] = said;
  if (placement === 'after-first' && first !== undefined) kept.add(first);
  return kept;
}

function chosen(
  exchanges: readonly Exchange[],
  context: PlanContext,
  keep: KeepOptions,
): readonly Exchange[] {
  const { mode, last, first } = keep;
  switch (mode) {
    case 'fresh':
      return [];
    case 'last':
      return newest(exchanges, last);
    case 'edges':
      return [...newest([...exchanges].reverse(), first), ...newest(exchanges, last)];
    case 'important':
      return important(exchanges, context, keep);
    default:
      return mode satisfies never;
  }
}

/** The newest exchanges that together have at least `count` messages. */
function newest(exchanges: readonly Exchange[], count: number): Exchange[] {
  const kept: Exchange[] = [];
  let messages = 0;
  for (const exchange of [...exchanges].reverse()) {
    if (messages >= count) break;
    kept.push(exchange);
    messages += exchange.messages.length;
  }
  return kept;
}

/**
 * The first exchange, the last, and the most important ones, up to the number that the usage of the window allows. Adds the newest
 * exchanges up to their share of the target.
 */
function important(
  exchanges: readonly Exchange[],
  context: PlanContext,
  { min, max, threshold, recent }: KeepOptions,
): Exchange[] {
  const { view, currentTokens, maxTokens } = context;
  const count = messagesToKeep(view.length, (100 * currentTokens) / Math.max(1, maxTokens), { min, max });
  const scores = scoreMessages(view);
  const scoreOf = ({ messages }: Exchange) =>
    Math.max(...messages.map(({ index }) => scores[index]?.score ?? 0));
  const [first, last] = [exchanges[0], exchanges[exchanges.length - 1]];
  const best = exchanges
    .filter((exchange) => exchange !== first && exchange !== last && scoreOf(exchange) >= threshold)
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || b.first - a.first);
  const chosenOnes = new Set([last, ...best.slice(0, Math.max(0, count - 1))]);
  for (const exchange of [...exchanges].reverse()) {
    if (chosenOnes.size >= count) break;
    chosenOnes.add(exchange);
  }
  const kept = affordableOf([...chosenOnes, first], context.targetTokens);
  return [...kept, ...newestWithin(exchanges, recent * context.targetTokens)];
}

/** The newest exchanges that together have at most this number of tokens. */
function newestWithin(exchanges: readonly Exchange[], tokens: number): Exchange[] {
  let used = 0;
  const start = exchanges.findLastIndex((exchange) => {
    used += exchange.tokens;
    return used > tokens;
  });
  return exchanges.slice(start + 1);
}

/** Limits the kept exchanges to half of the target. With more, a summary could not help. */
function affordableOf(exchanges: readonly (Exchange | undefined)[], targetTokens: number): Exchange[] {
  let left = targetTokens / 2;
  return exchanges.filter((exchange) => {
    if (exchange === undefined || exchange.tokens > left) return false;
    left -= exchange.tokens;
    return true;
  }) as Exchange[];
}

/** Registers `condense` under its name, and the extractive summariser if no summariser is registered. */
export function register(container: DependencyContainer): void {
  condense.register(container);
  if (container.isRegistered(summarizerToken, true)) return;
  container.register(summarizerToken, { useValue: createSummarizer() });
}
