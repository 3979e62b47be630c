import type { GateRules } from './gate.js';
import { protectionOf } from './protection.js';
import type { InvariantName } from './validate.js';
import type { View } from './view.js';

/**
 * Tokens of the messages that no compression may change: system prompt, pinned messages, the task, the newest user message, and what the
 * model has not read yet.
 */
export function stayingTokens(view: View, rules: Pick<GateRules, 'transcript' | 'pins'>): number {
  return tokensOf(view, rules, () => true);
}

/** Tokens of those of them that stay for good: system prompt and pinned messages. */
export function lastingTokens(view: View, rules: Pick<GateRules, 'transcript' | 'pins'>): number {
  return tokensOf(view, rules, (by) => by === 'system-stays' || by === 'pinned-stays');
}

function tokensOf(
  { entries }: View,
  { transcript, pins }: Pick<GateRules, 'transcript' | 'pins'>,
  counts: (by: InvariantName) => boolean,
): number {
  return entries.reduce((sum, entry) => {
    const protection = protectionOf(entry, { transcript, pins });
    return sum + (protection?.keeps === 'text' && counts(protection.by) ? entry.tokens : 0);
  }, 0);
}

/**
 * True if the messages that must stay unchanged do not fit the window by themselves, so that some of them have to be shortened.
 * @param windowTokens the window, as counted here
 */
export function isCrowded(
  view: View,
  rules: Pick<GateRules, 'transcript' | 'pins'>,
  windowTokens: number,
): boolean {
  return rules.transcript.length > 0 && stayingTokens(view, rules) > windowTokens;
}
