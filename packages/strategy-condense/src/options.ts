import { z } from 'zod';

/** Which messages are not summed up. System messages and pinned ones never are. */
export interface KeepOptions {
  /**
   * `important`: the first message, as many of the most important as the usage of the window allows, and the newest up to a share of the target;
   * `last`: the newest; `edges`: some at both ends; `fresh`: none. @default 'important'
   */
  readonly mode: 'important' | 'last' | 'edges' | 'fresh';
  /** For `last`: so many of the newest messages, and for `edges` so many at the end. @default 3 */
  readonly last: number;
  /** For `edges`: so many at the start. @default 1 */
  readonly first: number;
  /** For `important`: at least and at most so many. @default 2 and 5 */
  readonly min: number;
  readonly max: number;
  /** For `important`: a message with this score or more goes before newer ones, 0–100. @default 70 */
  readonly threshold: number;
  /** For `important`: besides, the newest exchanges up to this share of the target, 0–1. @default 0.25 */
  readonly recent: number;
}

export interface CondenseOptions {
  readonly keep: KeepOptions;
  /** Where the summary stands: at the place of the first or of the last message it covers, or after the first message of all. @default 'first' */
  readonly placement: 'first' | 'last' | 'after-first';
  /** The longest summary, with what is appended to it. Tokens. @default a quarter of the target, 256 to 8000 */
  readonly maxSummaryTokens?: number | undefined;
}

export const optionsSchema = z.strictObject({
  keep: z
    .strictObject({
      mode: z.enum(['important', 'last', 'edges', 'fresh']).default('important'),
      last: z.int().min(0).default(3),
      first: z.int().min(0).default(1),
      min: z.int().min(0).default(2),
      max: z.int().min(0).default(5),
      threshold: z.number().min(0).max(100).default(70),
      recent: z.number().min(0).max(1).default(0.25),
    })
    .prefault({}),
  placement: z.enum(['first', 'last', 'after-first']).default('first'),
  maxSummaryTokens: z.int().min(32).optional(),
});
