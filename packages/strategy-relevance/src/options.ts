import * as z from 'zod';

const share = z.number().min(0).max(1);

export const optionsSchema = z.strictObject({
  recent: share
    .default(0.4)
    .describe(
      'share that the newest exchanges may take of the tokens that the target leaves after messages that must stay; if the newest exchange alone is larger, its texts are cut',
    ),
  users: share
    .default(0.5)
    .describe(
      "share of the excerpt that the user's messages may take word for word; if they are larger, instructions come first",
    ),
  explain: z
    .boolean()
    .default(false)
    .describe('whether the record notes why each line was kept; the notes are about as long as the excerpt'),
});
export type RelevanceOptions = z.infer<typeof optionsSchema>;
