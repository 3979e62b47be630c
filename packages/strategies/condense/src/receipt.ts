import { messageText, type SummarizeRequest } from '@ctx/core';
import { type Balance, type LedgerEntry, notSaid } from './ledger.js';

/** What was required of a summary, and which of it the summary has. Plain JSON. Its size depends only on what the compression changed. */
export interface Receipt {
  readonly required: number;
  /** The number of required entries that the summary contained as it was written. */
  readonly present: number;
  readonly added: number;
  /** The number of entries of each kind, from the whole conversation, for which there was no room. */
  readonly leftOut: Readonly<Partial<Record<LedgerEntry['kind'], number>>>;
  /** Those of them that an earlier summary still contained, or that are from a message which is now summarised for the first time. */
  readonly lost: readonly Pick<LedgerEntry, 'kind' | 'number'>[];
}

/** Makes a receipt from a balance. Names only the entries that left the view with this summary. */
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
