import { equal } from '@ctx/core';
import type { Clearing } from './clearing.js';
import type { Use } from './use.js';

/** Clears results of the same call with the same output, but for the newest of them and errors. */
export function clearDuplicates(
  uses: readonly Use[],
  rules: {
    readonly placeholder: string;
    readonly errorPrefixes: readonly string[];
    readonly leaves: ReadonlySet<Use>;
  },
  clearing: Clearing,
): void {
  const newest = new Map<string, Use[]>();
  for (const use of [...uses].reverse()) {
    if (
      use.call === undefined ||
      rules.leaves.has(use) ||
      clearing.isCleared(use) ||
      use.isError(rules.errorPrefixes)
    )
      continue;
    const key = `${use.call.toolName}\n${use.text}`;
    const alike = newest.get(key) ?? [];
    newest.set(key, alike);
    if (!alike.some(({ call }) => equal(call?.input, use.call?.input))) alike.push(use);
    else clearing.replace(use, rules.placeholder, 'duplicates', 'the same call gave the same result again');
  }
}
