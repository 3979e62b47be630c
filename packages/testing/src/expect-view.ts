import type { CompressionStrategy, Message } from '@ctx/core';
import { checkLaws, type Lawful, type LawOptions } from './laws.js';

/**
 * Expects that a strategy makes one list of messages of another, and keeps every law while it does. Tokens are words.
 * @param options `targetTokens` defaults to 0: the strategy does all it can
 */
export async function expectView(
  strategy: CompressionStrategy,
  before: readonly Message[],
  after: readonly Message[],
  options: Partial<LawOptions> = {},
): Promise<Lawful> {
  const lawful = await checkLaws(strategy, before, { targetTokens: 0, ...options });
  expect(lawful.messages).toEqual(after);
  return lawful;
}
