import { type FileTool, fileToolSchema } from '@ctx/core';
import { z } from 'zod';

export interface SmartTruncationOptions {
  /**
   * Tokens of the messages to get down to if the compression's target is higher; `auto`: the compression's target alone.
   * @default 50_000
   */
  readonly maxTokens: number | 'auto';
  /** Where the middle starts and ends, as percentages of the tokens. @default 100/6 and 500/6 */
  readonly middlePercentileStart: number;
  readonly middlePercentileEnd: number;
  /** Folds what file reads returned, through the `fold` port. @default true */
  readonly foldReads: boolean;
  /** So many of the newest file reads are not folded. @default 0 */
  readonly keepNewestReads: number;
  /** The tools that read files. @default those of every agent that is known */
  readonly readTools?: readonly FileTool[] | undefined;
}

const percentile = z.number().min(0).max(100);

export const optionsSchema = z
  .strictObject({
    maxTokens: z.union([z.literal('auto'), z.int().min(1)]).default(50_000),
    middlePercentileStart: percentile.default(100 / 6),
    middlePercentileEnd: percentile.default(500 / 6),
    foldReads: z.boolean().default(true),
    keepNewestReads: z.int().min(0).default(0),
    readTools: z.array(fileToolSchema).optional(),
  })
  .refine(({ middlePercentileStart, middlePercentileEnd }) => middlePercentileStart <= middlePercentileEnd, {
    path: ['middlePercentileEnd'],
    message: 'must not be below middlePercentileStart',
  });
