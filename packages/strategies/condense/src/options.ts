import * as z from 'zod';

const count = z.int().min(0);
/** Which messages are not summarised. System messages and pinned messages never are. */
const keep = z.strictObject({
  mode: z
    .enum(['important', 'last', 'edges', 'fresh'])
    .default('important')
    .describe(
      '`important`: the first message, the last and the most important ones; `last`: the newest; `edges`: some at both ends; `fresh`: none',
    ),
  last: count.default(3).describe('for `last` and `edges`: number of messages at the end'),
  first: count.default(1).describe('for `edges`: number of messages at the start'),
  min: count.default(2).describe('for `important`: smallest number of messages'),
  max: count.default(5).describe('for `important`: largest number of messages'),
  threshold: z
    .number()
    .min(0)
    .max(100)
    .default(70)
    .describe('for `important`: messages with at least this score, 0–100, are preferred to newer ones'),
  recent: z
    .number()
    .min(0)
    .max(1)
    .default(0.25)
    .describe(
      'for `important`: share of the target, 0–1, up to which the newest exchanges stay too, so that a summary does not shrink the context more than necessary',
    ),
});

export const optionsSchema = z.strictObject({
  keep: keep
    .prefault({})
    .describe(
      "which messages are not summarised; if fewer than the configuration's `minMessagesToKeep` would remain, more of the newest messages stay",
    ),
  placement: z
    .enum(['first', 'last', 'after-first'])
    .default('first')
    .describe(
      'where the summary is placed: at the `first` or the `last` message that it covers, or `after-first`: after the first message of the conversation',
    ),
  maxSummaryTokens: z
    .int()
    .min(32)
    .optional()
    .describe(
      'most tokens of a summary, including the text appended to it; by default a model may write a quarter of the target, 256 to 8000, and passages fill what the target leaves; in all at most three quarters of the messages it replaces',
    ),
});

export type CondenseOptions = z.infer<typeof optionsSchema>;
export type KeepOptions = CondenseOptions['keep'];
