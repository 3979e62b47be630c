import { messageText, type SummarizeRequest } from '@ctx/core';
import { type Balance, type LedgerEntry, notSaid } from './ledger.js';

/** What was required of a summary, and what became of it. Plain JSON, as large as what the compression changed. */
export interface Receipt {
  readonly required: number;
  /** In the summary as it was written. */
  readonly present: number;
  readonly added: number;
  /** How many of each kind had no room, from the whole conversation. */
  readonly leftOut: Readonly<Partial<Record<LedgerEntry['kind'], number>>>;
  /** Those among them that an earlier summary, or a message summed up for the first time, still said. */
  readonly lost: readonly Pick<LedgerEntry, 'kind' | 'number'>[];
}

/** The figures of a balance, and by name only what left the view with this summary. */
export function receiptOf(
  { required, present, added, leftOut }: Balance,
  { messages, originals }: Pick<SummarizeRequest, 'messages' | 'originals'>,
): Receipt {
  const counts: Partial<Record<LedgerEntry['kind'], number>> = {};
  for (const { kind } of leftOut) counts[kind] = (counts[kind] ?? 0) + 1;
  const shown = new Set(messages);
  const first = new Set(originals.filter(({ message }) => shown.has(message)).map(({ number }) => number));
  const earlier = messages.filter(({ summary }) => summary === true).map(messageText);
  const unsaid = new Set(notSaid(leftOut, earlier.join('\n')));
  const lost = leftOut.filter((entry) => first.has(entry.number) || !unsaid.has(entry));
  return {
    required,
    present,
    added,
    leftOut: counts,
    lost: lost.map(({ kind, number }) => ({ kind, number })),
  };
}
