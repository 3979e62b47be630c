import type { Steps } from '@ctx/core';
import { equal } from '@ctx/core/codec';
import { jsonText } from '@ctx/core/kit';
import type { Clearing, ClearingRules } from './clearing.js';
import { eachInSteps } from './pauses.js';
import type { Use } from './use.js';

/**
 * Clears all but the newest of the results that have the same call and the same output, except errors. The newest must be unchanged,
 * because the placeholder refers to it.
 */
export function* clearDuplicates(
  uses: readonly Use[],
  rules: ClearingRules & { readonly leaves: ReadonlySet<Use> },
  clearing: Clearing,
): Steps<void> {
  const candidates: Use[] = [];
  const times = new Map<string, number>();
  yield* eachInSteps(uses.toReversed(), (use) => {
    if (
      use.call === undefined ||
      rules.leaves.has(use) ||
      rules.cleared.has(use.text) ||
      clearing.isCleared(use) ||
      use.isError(rules.errorPrefixes)
    )
      return;
    candidates.push(use);
    times.set(use.original, (times.get(use.original) ?? 0) + 1);
  });
  const newest = new Map<string, Use[]>();
  const repeated = candidates.filter(({ original }) => times.get(original) !== 1);
  yield* eachInSteps(repeated, (use) => {
    const key = `${use.call?.toolName}\n${digestOf(use.call?.input)}\n${use.original}`;
    const alike = newest.get(key) ?? [];
    newest.set(key, alike);
    if (!alike.some(({ call }) => equal(call?.input, use.call?.input))) {
      if (!use.isEdited) alike.push(use);
    } else clearing.replace(use, rules.placeholder, 'duplicates', 'the same call gave the same result again');
  });
}

/** The same for equal arguments, whatever their order, and seldom for others: thousands of edits may return nothing but "ok". */
function digestOf(input: unknown): string {
  return jsonText(input)
    .split(/[{}[\],]+/)
    .sort()
    .join();
}
