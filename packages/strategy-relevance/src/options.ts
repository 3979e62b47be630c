import { z } from 'zod';

const share = z.number().min(0).max(1);

export const optionsSchema = z.strictObject({
  recent: share
    .default(0.2)
    .describe(
      'share for the newest exchanges, of the tokens that remain of the target after what has to stay; if the newest one alone is larger, its texts are shortened',
    ),
  users: share
    .default(0.5)
    .describe(
      "share of the excerpt for the user's messages word for word; if they are larger, instructions come first",
    ),
  explain: z
    .boolean()
    .default(false)
    .describe('notes in the record why each line was kept; takes about as much room as the excerpt'),
});
export type RelevanceOptions = z.infer<typeof optionsSchema>;
