import type { CompressionStrategy, Message } from '@ctx/core';
import { checkLaws, type Lawful, type LawOptions } from './laws.js';

/**
 * Expects that a strategy turns one list of messages into another and keeps every law. Each word is a token.
 * @param options `targetTokens` defaults to 0, so that the strategy removes as much as it can
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
