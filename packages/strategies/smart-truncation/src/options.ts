import { fileToolSchema } from '@ctx/core/kit';
import * as z from 'zod';

const percentile = z.number().min(0).max(100);

export const optionsSchema = z
  .strictObject({
    maxTokens: z
      .union([z.literal('auto'), z.int().min(1)])
      .default(50_000)
      .describe(
        "target in tokens of the messages, if it is lower than the compression's; `auto`: only the compression's target is used",
      ),
    middlePercentileStart: percentile
      .default(100 / 6)
      .describe('start of the middle, as a percentage of the tokens'),
    middlePercentileEnd: percentile
      .default(500 / 6)
      .describe('end of the middle, as a percentage of the tokens'),
    foldReads: z.boolean().default(true).describe('folds the results of file reads, through the `fold` port'),
    keepNewestReads: z
      .int()
      .min(0)
      .default(0)
      .describe('number of the newest file reads that are not folded'),
    readTools: z
      .array(fileToolSchema)
      .readonly()
      .optional()
      .describe('the tools that read files; by default those of every known agent'),
  })
  .refine(({ middlePercentileStart, middlePercentileEnd }) => middlePercentileStart <= middlePercentileEnd, {
    path: ['middlePercentileEnd'],
    message: 'must not be below middlePercentileStart',
  });

export type SmartTruncationOptions = z.infer<typeof optionsSchema>;
