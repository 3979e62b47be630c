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
