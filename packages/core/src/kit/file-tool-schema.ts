import * as z from 'zod';

const names = z.array(z.string().min(1)).min(1).readonly();

/** The form of a file tool in the options of a strategy. */
export const fileToolSchema = z.strictObject({
  names,
  paths: names.optional(),
  when: z.record(z.string(), z.array(z.string()).readonly()).optional(),
});
