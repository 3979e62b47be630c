import { z } from 'zod';

const count = z.int().min(0);
/** Which messages are not summed up. System messages and pinned ones never are. */
const keep = z.strictObject({
  mode: z
    .enum(['important', 'last', 'edges', 'fresh'])
    .default('important')
    .describe(
      '`important`: the first message, the last and those that matter most; `last`: the newest; `edges`: some at both ends; `fresh`: none',
    ),
  last: count.default(3).describe('for `last` and `edges`: messages at the end'),
  first: count.default(1).describe('for `edges`: messages at the start'),
  min: count.default(2).describe('for `important`: messages at least'),
  max: count.default(5).describe('for `important`: messages at most'),
  threshold: z
    .number()
    .min(0)
    .max(100)
    .default(70)
    .describe('for `important`: a message with this score or more goes before newer ones, 0–100'),
  recent: z
    .number()
    .min(0)
    .max(1)
    .default(0.25)
    .describe(
      'for `important`: the newest exchanges up to this share of the target stay too, so that a summary does not shrink the context more than it must, 0–1',
    ),
});

export const optionsSchema = z.strictObject({
  keep: keep
    .prefault({})
    .describe(
      "what is not summed up; where that leaves fewer messages than the configuration's `minMessagesToKeep`, so many of the newest stay too",
    ),
  placement: z
    .enum(['first', 'last', 'after-first'])
    .default('first')
    .describe(
      'where the summary stands: at the place of the `first` or of the `last` message it covers, or `after-first`: after the first message of all',
    ),
  maxSummaryTokens: z
    .int()
    .min(32)
    .optional()
    .describe(
      'tokens of the longest summary, with what is appended to it; by default a quarter of the target, 256 to 8000, and without a model what the target leaves, up to three quarters of what it stands for',
    ),
});

export type CondenseOptions = z.infer<typeof optionsSchema>;
export type KeepOptions = CondenseOptions['keep'];
