import { type CountTokens, fatesOf, type Outcome, textOf } from '@ctx/bench/measure';
import { contextAt, type Session } from '@ctx/sessions';
import type { CompressedSession } from '../compress/compress-session.js';
import { labelOf } from '../session/label.js';

/** What became of one message. */
export interface Change {
  /** Position in the session from 1; undefined for what the agent put in place of older messages. */
  readonly number: number | undefined;
  readonly label: string;
  readonly outcome: Outcome;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly before: string;
  /** What is left of it, here or in an excerpt. */
  readonly after: string;
}

export interface Added {
  readonly label: string;
  readonly tokens: number;
  readonly text: string;
}

export interface Changes {
  readonly changes: readonly Change[];
  /** Messages that a strategy wrote: excerpts, summaries, markers. */
  readonly added: readonly Added[];
}

/** What a compression did to each message, in order. Tokens are those counted here. */
export function changesOf(
  session: Session,
  { before, after, record, strategies }: CompressedSession,
  { at, tokensOf }: { readonly at?: number | undefined; readonly tokensOf: CountTokens },
): Changes {
  const { firstSaid, from } = contextAt(session, at);
  const { fates, added } = fatesOf(before, after, { tokensOf, record, textLength: Number.POSITIVE_INFINITY });
  // A manager closes calls that were never answered, so later messages have moved on.
  const positions = new Map(session.messages.map((message, index) => [message, index + 1]));
  const changes = before.map((message, index): Change => {
    const { outcome: found, tokens, after: left } = fates[index] as (typeof fates)[number];
    // Only a summary tells what it does not quote; what an excerpt does not quote is gone.
    const outcome = found === 'summarised' && !strategies.includes('condense') ? 'dropped' : found;
    const text = textOf(message);
    const kept = outcome === 'kept' ? text : (left ?? '');
    return {
      number: index < firstSaid ? undefined : (positions.get(message) ?? from + index - firstSaid + 1),
      label: labelOf(message, before),
      outcome,
      tokensBefore: tokensOf(message),
      tokensAfter: outcome === 'excerpted' ? tokensOf.text(kept) : tokens,
      before: text,
      after: kept,
    };
  });
  return { changes, added: added.map(({ label, tokens, text }) => ({ label, tokens, text })) };
}
