import type { PlanContext } from '@ctx/core';

/** The properties of a conversation that decide which way of removal fits it. Shares are 0–1. */
export interface Characteristics {
  readonly messages: number;
  /** The target divided by the current tokens. */
  readonly ratio: number;
  /** The share of the tokens that the last five messages have. */
  readonly recentShare: number;
  /** Whether a message has more than 300 tokens. */
  readonly hasLongMessage: boolean;
  readonly hasToolOrSystem: boolean;
}

export type Way = 'middle' | 'oldest';

export interface Recommendation {
  /** Undefined if no rule applies. */
  readonly way: Way | undefined;
  /** 0–1. */
  readonly confidence: number;
  readonly rule: string;
}

export function characteristicsOf({ view, currentTokens, targetTokens }: PlanContext): Characteristics {
  const recent = view.slice(-5).reduce((sum, message) => sum + message.tokens, 0);
  return {
    messages: view.length,
    ratio: targetTokens / currentTokens,
    recentShare: recent / currentTokens,
    hasLongMessage: view.some((message) => message.tokens > 300),
    hasToolOrSystem: view.some(({ message }) => message.role === 'tool' || message.role === 'system'),
  };
}

/**
 * Recommends the way of removal that fits a conversation. The first matching rule decides. A compression is light if more than 0.8 of the
 * tokens stay, and heavy if 0.6 or less stay.
 */
export function recommend(conversation: Characteristics): Recommendation {
  const { messages, ratio, recentShare, hasLongMessage, hasToolOrSystem } = conversation;
  const light = ratio > 0.8;
  const heavy = ratio <= 0.6;
  if (light && messages < 20)
    return { way: 'middle', confidence: 0.8, rule: 'light compression of a short conversation' };
  if (heavy && messages > 30)
    return { way: 'oldest', confidence: 0.9, rule: 'heavy compression of a long conversation' };
  if (recentShare > 0.4)
    return { way: 'middle', confidence: 0.7, rule: 'most tokens are in the last five messages' };
  if (hasLongMessage && !light) return { way: 'oldest', confidence: 0.6, rule: 'long messages' };
  if (hasToolOrSystem) return { way: 'middle', confidence: 0.7, rule: 'tools or a system prompt' };
  return { way: undefined, confidence: 0, rule: 'no rule applies' };
}

/** How good a result is, 0–1: 0.6 times the share of tokens saved plus 0.4 times the share of messages kept. */
export function efficiency(
  before: { readonly tokens: number; readonly messages: number },
  after: { readonly tokens: number; readonly messages: number },
): number {
  return 0.6 * (1 - after.tokens / before.tokens) + 0.4 * (after.messages / before.messages);
}
