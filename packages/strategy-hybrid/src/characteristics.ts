import type { PlanContext } from '@ctx/core';

/** What of a conversation decides which way of removal fits it. Shares are 0–1. */
export interface Characteristics {
  readonly messages: number;
  /** Target over current tokens. */
  readonly ratio: number;
  /** Share of the tokens in the last five messages. */
  readonly recentShare: number;
  /** Whether a message has more than 300 tokens. */
  readonly hasLongMessage: boolean;
  readonly hasToolOrSystem: boolean;
}

export type Way = 'middle' | 'oldest';

export interface Recommendation {
  /** Undefined where no rule applies. */
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
 * Which way of removal fits a conversation; the first rule that matches decides:
 * compression is light where more than 0.8 of the tokens stay, heavy where 0.6 or less do.
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

/** How good a result is, 0–1: 0.6 for the share of tokens saved, 0.4 for the share of messages kept. */
export function efficiency(
  before: { readonly tokens: number; readonly messages: number },
  after: { readonly tokens: number; readonly messages: number },
): number {
  return 0.6 * (1 - after.tokens / before.tokens) + 0.4 * (after.messages / before.messages);
}
