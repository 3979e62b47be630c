import type { Clearing } from './clearing.js';
import type { TerminalOptions } from './options.js';
import type { Use } from './use.js';

export interface TerminalRules extends TerminalOptions {
  readonly tools: readonly string[];
  readonly placeholder: string;
  readonly errorPrefixes: readonly string[];
}

/** Clears the output of commands that ran long ago, but for errors and the newest results. Method of Snow. */
export function clearOutdatedTerminal(uses: readonly Use[], rules: TerminalRules, clearing: Clearing): void {
  const oldest = clearing.context.now - rules.olderThanMinutes * 60_000;
  for (const use of uses.slice(0, Math.max(0, uses.length - rules.keepNewest))) {
    if (!rules.tools.includes(use.call?.toolName ?? '')) continue;
    const isOld = use.time < oldest && use.time !== Number.NEGATIVE_INFINITY;
    if (!isOld || use.isError(rules.errorPrefixes) || hasStderr(use)) continue;
    clearing.replace(use, rules.placeholder, 'terminal', `older than ${rules.olderThanMinutes} minutes`);
  }
}

/** A result in JSON that has a `stderr` which is not empty. */
function hasStderr({ result: { output }, text }: Use): boolean {
  if (typeof output !== 'string' && output.type === 'json') return isFilled(output.value);
  if (!text.includes('"stderr"')) return false;
  try {
    return isFilled(JSON.parse(text));
  } catch {
    return false;
  }
}

function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { stderr } = value as { stderr?: unknown };
  return typeof stderr === 'string' && stderr.trim() !== '';
}
