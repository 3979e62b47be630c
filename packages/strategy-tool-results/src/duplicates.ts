import { equal } from '@ctx/core';
import type { Clearing } from './clearing.js';
import type { Use } from './use.js';

/**
 * Clears results of the same call with the same output, apart from the newest of them and errors. The newest has to stand as it was
 * returned: what was cleared or cut is no result that another could be found in.
 */
export function clearDuplicates(
  uses: readonly Use[],
  rules: {
    readonly placeholder: string;
    readonly errorPrefixes: readonly string[];
    readonly leaves: ReadonlySet<Use>;
    /** Texts that stand where results were cleared before. */
    readonly cleared: ReadonlySet<unknown>;
  },
  clearing: Clearing,
): void {
  const newest = new Map<string, Use[]>();
  for (const use of [...uses].reverse()) {
    if (
      use.call === undefined ||
      rules.leaves.has(use) ||
      rules.cleared.has(use.text) ||
      clearing.isCleared(use) ||
      use.isError(rules.errorPrefixes)
    )
      continue;
    const key = `${use.call.toolName}\n${use.original}`;
    const alike = newest.get(key) ?? [];
    newest.set(key, alike);
    if (!alike.some(({ call }) => equal(call?.input, use.call?.input))) {
      if (!use.isEdited) alike.push(use);
    } else clearing.replace(use, rules.placeholder, 'duplicates', 'the same call gave the same result again');
  }
}
