import { fileToolSchema } from '@ctx/core';
import { z } from 'zod';

const percentile = z.number().min(0).max(100);

export const optionsSchema = z
  .strictObject({
    maxTokens: z
      .union([z.literal('auto'), z.int().min(1)])
      .default(50_000)
      .describe(
        "tokens of the messages to get down to if the compression's target is higher; `auto`: the compression's target alone",
      ),
    middlePercentileStart: percentile
      .default(100 / 6)
      .describe('where the middle starts, as a percentage of the tokens'),
    middlePercentileEnd: percentile
      .default(500 / 6)
      .describe('where the middle ends, as a percentage of the tokens'),
    foldReads: z.boolean().default(true).describe('folds what file reads returned, through the `fold` port'),
    keepNewestReads: z
      .int()
      .min(0)
      .default(0)
      .describe('number of the newest file reads that are not folded'),
    readTools: z
      .array(fileToolSchema)
      .readonly()
      .optional()
      .describe('the tools that read files; by default those of every agent that is known'),
  })
  .refine(({ middlePercentileStart, middlePercentileEnd }) => middlePercentileStart <= middlePercentileEnd, {
    path: ['middlePercentileEnd'],
    message: 'must not be below middlePercentileStart',
  });

export type SmartTruncationOptions = z.infer<typeof optionsSchema>;
