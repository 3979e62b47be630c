import { CtxError } from '@ctx/core';
import type { Session } from '@ctx/sessions';

/**
 * Refuses a place that a session does not have.
 * @throws CtxError `option-invalid`
 */
export function refusePlace({ messages }: Session, at: number, place = '--at'): void {
  if (at <= messages.length) return;
  throw new CtxError({
    code: 'option-invalid',
    problem: `The session has ${messages.length} messages`,
    place,
    value: at,
    remedy: `Give a number from 1 to ${messages.length}.`,
  });
}
