import type { SummarizeRequest } from '@ctx/core';
import type { Fact } from './facts.js';
import type { History } from './history.js';
import type { LedgerEntry } from './ledger.js';

/** What a summary of some messages must not lose: instructions, open errors, open points and changed files. */
export function requiredOf(
  originals: readonly SummarizeRequest['originals'][number][],
  { readings, facts }: History,
  rules: { readonly threshold: number; tokensOf(text: string): number },
): LedgerEntry[] {
  const instructions = originals.flatMap(({ number }, position) => {
    const instruction = readings[position]?.instruction(rules);
    return instruction === undefined ? [] : [{ kind: 'instruction' as const, number, ...instruction }];
  });
  const entriesOf = (kind: LedgerEntry['kind'], some: readonly Fact[]) =>
    some.map(({ text, at }) => ({ kind, text, number: originals[at]?.number ?? 0 }));
  return [
    ...instructions,
    ...entriesOf(
      'error',
      facts.errors.filter(({ resolved }) => !resolved),
    ),
    ...entriesOf('todo', facts.todos),
    ...entriesOf('file', facts.filesWritten),
  ];
}
