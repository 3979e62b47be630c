import { z } from 'zod';

const share = z.number().min(0).max(1);

export const optionsSchema = z.strictObject({
  recent: share.default(0.2),
  users: share.default(0.5),
  explain: z.boolean().default(false),
});

/** Shares are 0–1 of the tokens that remain of the target after what has to stay. */
export interface RelevanceOptions {
  /** The share for the newest exchanges, which stay whole. If the newest one alone is larger, its texts are shortened. @default 0.2 */
  readonly recent: number;
  /** The share for the user's messages word for word. If they are larger, instructions come first. @default 0.5 */
  readonly users: number;
  /** Whether the record notes why each line was kept. The notes take about as much room as the excerpt. @default false */
  readonly explain: boolean;
}
