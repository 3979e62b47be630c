import * as z from 'zod';
import { defaultOptions } from './weights.js';

const share = z.number().min(0).max(1);

const toolAction = z.strictObject({
  verb: z
    .string()
    .regex(/^\S[^\r\n]*$/, 'must be words on one line')
    .describe('what a call did, in the past: `booked`'),
  object: z
    .string()
    .min(1)
    .optional()
    .describe('the argument that says what it was done to; without it, the call in short'),
});

export const optionsSchema = z.strictObject({
  recent: share
    .default(defaultOptions.recent)
    .describe(
      'share that the newest exchanges may take of the tokens that the target leaves after messages that must stay; if the newest exchange alone is larger, its texts are cut',
    ),
  users: share
    .default(defaultOptions.users)
    .describe(
      "share of the excerpt that the user's messages may take word for word; if they are larger, instructions come first",
    ),
  actions: z
    .record(z.string().min(1), z.union([z.literal(false), toolAction]))
    .readonly()
    .default(defaultOptions.actions)
    .describe(
      'what your tools do, by their names, for the lines on what was done: `{ book_flight: { verb: "booked", object: "flight_id" } }`; `false` for a tool that changes nothing; the others are judged by name and arguments',
    ),
});
export type RelevanceOptions = z.infer<typeof optionsSchema>;
