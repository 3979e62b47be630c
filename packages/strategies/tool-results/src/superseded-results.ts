import type { Steps } from '@ctx/core';
import { filesOf, pathNormalizer } from '@ctx/core';
import type { FileTool } from '@ctx/core/kit';
import type { Clearing, ClearingRules } from './clearing.js';
import type { Read } from './outdated-reads.js';
import { eachInSteps } from './pauses.js';
import type { Use } from './use.js';

/** Clears reads whose files have all changed since. */
export function* clearSuperseded(
  { uses, reads }: { readonly uses: readonly Use[]; readonly reads: readonly Read[] },
  rules: ClearingRules & { readonly tools: readonly FileTool[]; readonly root: string | undefined },
  clearing: Clearing,
): Steps<void> {
  const normal = pathNormalizer(rules.root);
  const changed = new Map<string, number>();
  yield* eachInSteps(uses, (use) => {
    if (use.isError(rules.errorPrefixes)) return;
    for (const path of filesOf(use.call, rules.tools)) changed.set(normal(path), use.order);
  });
  yield* eachInSteps(reads, ({ use, files }) => {
    if (files.every(({ key }) => (changed.get(key) ?? -1) > use.order))
      clearing.replace(use, rules.placeholder, 'superseded', 'the file was changed since');
  });
}
