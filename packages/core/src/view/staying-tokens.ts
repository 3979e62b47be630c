import type { GateRules } from './gate.js';
import { protectionOf } from './protection.js';
import type { View } from './view.js';

/** Sums over messages that no compression may change. */
interface Staying {
  /** Tokens of all of them: system prompt, pinned messages, the task, the newest user message, and what the model has not read yet. */
  readonly tokens: number;
  /** Tokens of those that stay for good: system prompt and pinned messages. */
  readonly lastingTokens: number;
  readonly toolCalls: number;
  readonly imageTokens: number;
}

export function stayingIn(
  { entries }: View,
  rules: Pick<GateRules, 'transcript' | 'pins' | 'keepsUnanswered'>,
): Staying {
  const { transcript, pins, keepsUnanswered } = rules;
  const sums = { tokens: 0, lastingTokens: 0, toolCalls: 0, imageTokens: 0 };
  for (const entry of entries) {
    const protection = protectionOf(entry, { transcript, pins, keepsUnanswered });
    if (protection?.keeps !== 'text') continue;
    const lasts = protection.by === 'system-stays' || protection.by === 'pinned-stays';
    sums.tokens += entry.tokens;
    sums.lastingTokens += lasts ? entry.tokens : 0;
    sums.toolCalls += entry.toolCalls;
    sums.imageTokens += entry.imageTokens;
  }
  return sums;
}

/**
 * True if the messages that must stay unchanged do not fit the window by themselves, so that some of them have to be shortened.
 * @param windowTokensFor the window for a view with their calls alone, as counted here
 */
export function isCrowded(
  view: View,
  rules: Pick<GateRules, 'transcript' | 'pins' | 'keepsUnanswered'>,
  windowTokensFor: (staying: Staying) => number,
): boolean {
  const staying = stayingIn(view, rules);
  return rules.transcript.length > 0 && staying.tokens > windowTokensFor(staying);
}
