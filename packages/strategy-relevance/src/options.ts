import { z } from 'zod';

const share = z.number().min(0).max(1);

export const optionsSchema = z.strictObject({
  recent: share.default(0.2),
  users: share.default(0.5),
  explain: z.boolean().default(false),
});

/** Shares are 0–1 of the tokens that the target leaves beside what may not leave. */
export interface RelevanceOptions {
  /** What the newest exchanges may take. They stay whole; the newest one is cut inside where it alone is larger. @default 0.2 */
  readonly recent: number;
  /** What the user's messages may take word for word. Where they are larger, instructions come first. @default 0.5 */
  readonly users: number;
  /** Notes in the record why each line was kept, which takes about as much room as the excerpt. @default false */
  readonly explain: boolean;
}
