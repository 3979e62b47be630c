import type { Edit } from '@ctx/core';
import { type Exchange, exchangesOf, type PlanContext, scoreMessages, strategyFactory } from '@ctx/core';
import * as z from 'zod';

const list = z.array(z.string().min(1)).readonly();
const words = z.union([list, z.strictObject({ add: list })]).optional();

interface Valued {
  readonly exchange: Exchange;
  readonly score: number;
  readonly isInstruction: boolean;
}

const optionsSchema = z.strictObject({
  threshold: z
    .number()
    .min(0)
    .max(100)
    .default(70)
    .describe('a user message with at least this score is an instruction, 0–100'),
  keepRecent: z
    .number()
    .min(0)
    .max(1)
    .default(0.3)
    .describe('share of the target that the newest exchanges may take, 0–1'),
  preserveUserInstructions: z
    .boolean()
    .default(true)
    .describe("prefers the user's instructions to everything else, as far as they fit"),
  minKeepCount: z.int().min(1).default(2).describe('smallest number of messages that stay'),
  compat: z
    .boolean()
    .default(false)
    .describe('finds keywords inside other words too, as the original design does'),
  keywords: z
    .strictObject({ command: words, technical: words, error: words, lowValue: words })
    .optional()
    .describe(
      'words that raise or lower a score: a list replaces the built-in one, `{ add: […] }` extends it',
    ),
});
type ImportanceStrategyOptions = z.infer<typeof optionsSchema>;

/**
 * Keeps the most valuable exchanges that fit into the target, and drops the rest. Keeps the user's instructions first, then the newest
 * exchanges up to their share, then the exchanges with the highest squared score per token. It ranks by score per token, not by
 * score alone, so it prefers ten short important messages to one long one. `scoreMessage` of `@ctx/core` computes the scores.
 */
export const importance = strategyFactory({
  name: 'importance',
  emits: ['drop'],
  options: optionsSchema,
  plan(context, options) {
    const { keepRecent, minKeepCount } = options;
    const valued = valuedOf(context, options);
    const movable = valued.filter(({ exchange }) => !exchange.pinned);
    const fixed = valued.filter(({ exchange }) => exchange.pinned);
    const room = new Room(context.targetTokens, fixed);
    for (const one of byNeed(movable.filter(({ isInstruction }) => isInstruction))) room.keep(one);
    const recent = keepRecent * context.targetTokens;
    let used = 0;
    for (const one of [...movable].reverse()) {
      used += one.exchange.tokens;
      if (used > recent) break;
      room.keep(one);
    }
    for (const one of byDensity(movable)) room.keep(one);

    const least = Math.max(minKeepCount, context.minMessagesToKeep);
    let left = context.view.length;
    const edits: Edit<'drop'>[] = [];
    for (const { exchange } of movable.filter((one) => !room.holds(one))) {
      const size = exchange.messages.length;
      if (left - size < least || exchange.tokens === 0) continue;
      left -= size;
      edits.push({
        type: 'drop',
        messages: exchange.messages.map(({ id }) => id),
        reason: 'not among the most valuable',
      });
    }
    const instructions = valued.filter(({ isInstruction }) => isInstruction);
    const kept = instructions.filter((one) => one.exchange.pinned || room.holds(one)).length;
    const notes = { instructions: instructions.length, instructionsKept: kept };
    return edits.length > 0
      ? { edits, notes }
      : { edits, notes, reason: 'No less valuable message may be removed' };
  },
});

function valuedOf({ view }: PlanContext, options: ImportanceStrategyOptions): Valued[] {
  const { threshold, preserveUserInstructions, compat, keywords } = options;
  const scores = scoreMessages(view, { compat, keywords });
  return exchangesOf(view).map((exchange) => {
    const score = Math.max(...exchange.messages.map(({ index }) => scores[index]?.score ?? 0));
    const isUser = exchange.messages[0]?.message.role === 'user';
    return { exchange, score, isInstruction: preserveUserInstructions && isUser && score >= threshold };
  });
}

/** The room in the target, and the exchanges that take it. */
class Room {
  readonly #kept = new Set<Valued>();
  #left: number;

  constructor(targetTokens: number, fixed: readonly Valued[]) {
    this.#left = targetTokens - fixed.reduce((sum, { exchange }) => sum + exchange.tokens, 0);
  }

  keep(one: Valued): void {
    if (this.#kept.has(one) || one.exchange.tokens > this.#left) return;
    this.#left -= one.exchange.tokens;
    this.#kept.add(one);
  }

  holds(one: Valued): boolean {
    return this.#kept.has(one);
  }
}

/** Sorts instructions in case not all fit: short ones first, so that as many as possible fit, and the newest of equal ones first. */
function byNeed(instructions: readonly Valued[]): Valued[] {
  return instructions.toSorted(
    (a, b) => a.exchange.tokens - b.exchange.tokens || b.exchange.first - a.exchange.first,
  );
}

function byDensity(valued: readonly Valued[]): Valued[] {
  const density = ({ score, exchange }: Valued) => score ** 2 / Math.max(1, exchange.tokens);
  return valued.toSorted((a, b) => density(b) - density(a) || b.exchange.first - a.exchange.first);
}

export const { register } = importance;

/** `importance` under the name of a class: `new ImportanceStrategy(options)` works as well. @alias */
export const ImportanceStrategy = importance;
export type ImportanceStrategy = ReturnType<typeof importance>;
