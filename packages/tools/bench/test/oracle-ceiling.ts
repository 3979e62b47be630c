import type { Message } from '@ctx/core';
import {
  type BenchSession,
  budgetShares,
  type Candidate,
  type Cut,
  candidates,
  loadCounter,
  oracle,
  type Recall,
  recallOf,
} from '../src/index.js';

const wholeExchanges = [
  'keep-last',
  'keep-first-and-last',
  'oldest-removal',
  'middle-removal',
  'hybrid',
  'sliding-window',
];

function methods(): readonly Candidate[] {
  const found = candidates.filter(({ name }) => wholeExchanges.includes(name));
  expect(found.map(({ name }) => name).sort()).toEqual([...wholeExchanges].sort());
  return found;
}

/**
 * A method that stays over the budget does not count: the oracle bounds what a user would really get. Nor does one in which the last
 * resort had to cut inside a message, which no method of whole exchanges does.
 */
export async function expectCeiling(
  session: Pick<BenchSession, 'model'>,
  cut: Cut,
  shares = budgetShares,
): Promise<void> {
  const o200k = await loadCounter();
  for (const share of shares) {
    const budget = cut.systemTokens + Math.floor(cut.prefixTokens * share);
    const recallIn = (messages: readonly Message[]): Recall =>
      recallOf(cut, messages, { budget, tokensOf: o200k });
    const best = recallIn(oracle(cut, { budget, tokensOf: o200k }));
    expect(best).toMatchObject({ inBudget: true, validAnthropic: true, validOpenai: true });
    for (const method of methods()) {
      const { messages, record } = await method.compress({
        cut,
        model: session.model,
        budget,
        tokensOf: o200k,
      });
      if (record?.edits.some(({ type }) => type === 'replace')) continue;
      const recall = recallIn(messages);
      expect({ method: method.name, share, isBelow: recall.usableCtx <= best.ctx }).toEqual({
        method: method.name,
        share,
        isBelow: true,
      });
      if (recall.inBudget) expect(recall.ctx).toBeLessThanOrEqual(best.ctx);
    }
  }
}
