import type { GateRules } from './gate.js';
import type { InvariantName } from './invariants.js';
import { protectionOf } from './protection.js';
import type { View } from './view.js';
import type { ViewEntry } from './view-entry.js';

/**
 * Tokens of the messages that no compression may change: system prompt, pinned messages, the task, the newest user message, and what the
 * model has not read yet.
 */
export function stayingTokens(view: View, rules: Pick<GateRules, 'transcript' | 'pins'>): number {
  return tokensOf(view, rules);
}

/** Tokens of those of them that stay for good: system prompt and pinned messages. */
export function lastingTokens(view: View, rules: Pick<GateRules, 'transcript' | 'pins'>): number {
  return tokensOf(view, rules, (by) => by === 'system-stays' || by === 'pinned-stays');
}

function tokensOf(
  view: View,
  rules: Pick<GateRules, 'transcript' | 'pins'>,
  counts?: (by: InvariantName) => boolean,
): number {
  return stayingIn(view, rules, counts).reduce((sum, { tokens }) => sum + tokens, 0);
}

function stayingIn(
  { entries }: View,
  { transcript, pins }: Pick<GateRules, 'transcript' | 'pins'>,
  counts: (by: InvariantName) => boolean = () => true,
): ViewEntry[] {
  return entries.filter((entry) => {
    const protection = protectionOf(entry, { transcript, pins });
    return protection?.keeps === 'text' && counts(protection.by);
  });
}

/** Calls of the messages that no compression may change. */
export function stayingCalls(view: View, rules: Pick<GateRules, 'transcript' | 'pins'>): number {
  return stayingIn(view, rules).reduce((sum, { toolCalls }) => sum + toolCalls, 0);
}

/**
 * True if the messages that must stay unchanged do not fit the window by themselves, so that some of them have to be shortened.
 * @param windowTokens the window for a view of their calls alone, as counted here
 */
export function isCrowded(
  view: View,
  rules: Pick<GateRules, 'transcript' | 'pins'>,
  windowTokens: number,
): boolean {
  return rules.transcript.length > 0 && stayingTokens(view, rules) > windowTokens;
}
