import type { Message } from '@ctx/core';
import type { Session } from './session.js';

/** What an agent had in its context at one place of a session. */
export interface ContextAt {
  readonly messages: readonly Message[];
  /** The first of `messages.slice(firstSaid)` is `session.messages[from]`; those before it replace what was said earlier. */
  readonly firstSaid: number;
  readonly from: number;
  /** Number of compactions by the agent until then. */
  readonly compactions: number;
}

/**
 * The messages that the model saw, with the agent's own compactions in force: what the newest one put in place of everything before it,
 * and what was said since.
 * @param at number of messages of the session that had been said. @default all
 */
export function contextAt({ messages, compactions = [] }: Session, at = messages.length): ContextAt {
  const inForce = compactions.filter((one) => one.at <= at);
  const last = inForce.at(-1);
  if (last === undefined) return { messages: messages.slice(0, at), firstSaid: 0, from: 0, compactions: 0 };
  return {
    messages: [...last.replacement, ...messages.slice(last.at, at)],
    firstSaid: last.replacement.length,
    from: last.at,
    compactions: inForce.length,
  };
}
