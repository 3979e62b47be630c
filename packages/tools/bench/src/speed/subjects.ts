import { bpeCounter, type ContextManager, createContextManager, type Message } from '@ctx/core';
import { middleRemoval } from '@ctx/strategy-middle-removal';
import { oldestRemoval } from '@ctx/strategy-oldest-removal';
import { relevance } from '@ctx/strategy-relevance';

/** What is measured, beside the peers too. */
export const strategies = {
  'middle-removal': middleRemoval(),
  'oldest-removal': oldestRemoval(),
  relevance: relevance(),
};

/** One for all, so that a text that several measures share is counted once. */
export const counter = bpeCounter();

export function managerWith(messages: readonly Message[], contextWindow = 1_000_000_000): ContextManager {
  const manager = createContextManager({ counter, config: { contextWindow, throttleMs: 0 } });
  for (const message of messages) manager.append(message);
  return manager;
}
