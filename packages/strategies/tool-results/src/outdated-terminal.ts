import type { Steps } from '@ctx/core';
import type { Clearing, ClearingRules } from './clearing.js';
import type { TerminalOptions } from './options.js';
import { eachInSteps } from './pauses.js';
import type { Use } from './use.js';

/** Clears the output of commands that ran long ago, except errors and the newest results. */
export function* clearOutdatedTerminal(
  uses: readonly Use[],
  rules: TerminalOptions & ClearingRules & { readonly tools: readonly string[] },
  clearing: Clearing,
): Steps<void> {
  const oldest = clearing.context.now - rules.olderThanMinutes * 60_000;
  yield* eachInSteps(uses.slice(0, Math.max(0, uses.length - rules.keepNewest)), (use) => {
    if (!rules.tools.includes(use.call?.toolName ?? '') || rules.cleared.has(use.text)) return;
    const isOld = use.time < oldest && use.time !== Number.NEGATIVE_INFINITY;
    if (!isOld || use.isError(rules.errorPrefixes) || hasStderr(use)) return;
    clearing.replace(use, rules.placeholder, 'terminal', `older than ${rules.olderThanMinutes} minutes`);
  });
}

/** Whether a result is JSON with a `stderr` that is not empty. */
function hasStderr({ returned, original }: Use): boolean {
  if (typeof returned !== 'string' && returned.type === 'json') return isFilled(returned.value);
  if (!original.includes('"stderr"')) return false;
  try {
    return isFilled(JSON.parse(original));
  } catch {
    return false;
  }
}

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { stderr } = value as { stderr?: unknown };
  return typeof stderr === 'string' && stderr.trim() !== '';
}
