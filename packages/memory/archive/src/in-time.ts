import type { Wait } from '@ctx/core';
import { unavailable } from './archive-errors.js';

/** Ms. Longer than any call takes on a server that is well; an agent does not wait longer for what it can do without. */
export const usualTimeout = 5_000;

export interface ServerOptions {
  /** Ms that a call waits for the server. @default 5000 */
  readonly timeout?: number | undefined;
  /** Waits for that time. Give it where time is not real, as in a test. @default setTimeout */
  readonly wait?: Wait | undefined;
}

/** Waits for a server's answer, and no longer than so many ms: some clients wait for a lost server forever. */
export async function inTime<Answer>(
  answer: Promise<Answer>,
  { timeout, wait }: { readonly timeout: number; readonly wait: Wait },
): Promise<Answer> {
  let cancel = () => {};
  const late = new Promise<never>((_, fail) => {
    const problem = `The archive's server did not answer within ${timeout} ms`;
    cancel = wait(timeout, () => fail(unavailable(problem)));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    cancel();
  }
}
