import * as z from 'zod/mini';
import { type Filled, fields, takes } from '../base/value-forms.js';

/** The size of a request, as counted here. */
export interface Counted {
  readonly tokens: number;
  readonly toolCalls: number;
  /** Those of its tokens that images are counted with. @default 0 */
  readonly imageTokens?: number | undefined;
}

const figures = {
  offset: takes('a number of tokens', z.number()),
  factor: takes('a number above 0', z.number().check(z.positive())),
  perToolCall: takes('a number of tokens', z.number()),
  withTools: z.optional(takes('a number of tokens', z.number())),
};

/** What a provider's figures are expected to be before it has reported any. */
export interface Prior {
  /** Tokens that are added to every request. */
  readonly offset: Filled<typeof figures>['offset'];
  /** What the provider bills for a token counted here. */
  readonly factor: Filled<typeof figures>['factor'];
  /** Tokens that are added for each tool call. */
  readonly perToolCall: Filled<typeof figures>['perToolCall'];
  /** Tokens that are added to a request that has tools or calls; for small tools, 350 more than these have. @default 0 */
  readonly withTools?: Filled<typeof figures>['withTools'];
}

export const priorSchema: z.ZodMiniType<Prior, Prior> = fields(figures);

/**
 * The provider's figure is roughly `offset + factor · text + perToolCall · toolCalls + perImageToken · images`, where text and images are the
 * tokens counted for them.
 */
export interface Coefficients extends Omit<Prior, 'withTools'> {
  /** @default 1 */
  readonly perImageToken?: number | undefined;
}

/** What a provider is expected to bill for a request. */
export function expectedFor(
  { offset, factor, perToolCall, perImageToken = 1 }: Coefficients,
  { tokens, toolCalls, imageTokens = 0 }: Counted,
): number {
  return offset + factor * (tokens - imageTokens) + perToolCall * toolCalls + perImageToken * imageTokens;
}

/** Tokens of the instructions that providers put around tools, however few there are: 264 to 530 for the models that say so. */
const toolInstructions = 350;

/**
 * The coefficients of a prior, for requests with or without tools.
 * @param toolTokens those of the definitions: the fewer they are, the less is added; undefined if there are none. Infinity if they are not known
 */
export function coefficientsOf(
  { offset, factor, perToolCall, withTools = 0 }: Prior,
  toolTokens: number | undefined,
): Coefficients {
  const added = toolTokens === undefined ? 0 : Math.min(withTools, toolInstructions + toolTokens);
  return { offset: offset + added, factor, perToolCall };
}

/** No tokenizer in use differs from another by a larger factor. */
const factor = 3;
/** Formulas for the same picture differ by this much: some scale it down, some do not. */
const imageFactor = 12;
/** The share of the window that may come from content unknown to the manager without raising doubt. */
const untold = 0.1;
/** Above this share of the window there is hardly room for anything. */
const nearlyFull = 0.8;

/**
 * Bounds for any honest report. Agents were seen to send 17,000 to 128,000 tokens in each request that were in no
 * message: their system prompt, tools, a resumed conversation. So a figure may exceed the count by up to a whole
 * window.
 */
export function usageBounds(counted: Counted, prior: Coefficients, contextWindow: number) {
  const expected = expectedFor(prior, counted);
  const most =
    factor * Math.max(expected, counted.tokens) + (imageFactor - factor) * (counted.imageTokens ?? 0);
  return {
    // A picture may cost a tenth of what another formula says.
    least: Math.max(0, Math.min(expected, counted.tokens) - (counted.imageTokens ?? 0)) / factor,
    /** A figure above this is believed only if other reports agree. */
    likely: most + untold * contextWindow,
    /** A figure that is also above this would leave no room for a conversation, so more reports must agree. */
    roomy: nearlyFull * contextWindow,
    most: most + contextWindow,
  };
}
