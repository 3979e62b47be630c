import { managerOf, system, user, words } from '@ctx/testing';
import { contextBudget } from '../../src/budget/context-budget.js';

test.each<
  [used: number, window: number, available: number, remaining: number, percent: number, band: string]
>([
  [200, 1000, 800, 600, 25, 'safe'],
  [399, 1000, 800, 401, 49.875, 'safe'],
  [400, 1000, 800, 400, 50, 'caution'],
  [600, 1000, 800, 200, 75, 'caution'],
  [601, 1000, 800, 199, 75.125, 'warning'],
  [680, 1000, 800, 120, 85, 'warning'],
  [681, 1000, 800, 119, 85.125, 'critical'],
  [2000, 1000, 800, 0, 250, 'critical'],
  [0, 200, 0, 0, 100, 'critical'],
  [50, 10, 0, 0, 100, 'critical'],
])(
  '%d tokens used of %d',
  (usedTokens, contextWindow, availableTokens, remainingTokens, usagePercent, band) => {
    const parts = { contextWindow, reservedTokens: 100, systemTokens: 100, usedTokens };
    expect(contextBudget(parts)).toEqual({ ...parts, availableTokens, remainingTokens, usagePercent, band });
  },
);

test('a manager gives the figures of its conversation', () => {
  const manager = managerOf([system(words(50)), user(words(200))], {
    contextWindow: 1000,
    config: { reserve: 150 },
  });
  manager.setTools('three more words');
  expect(manager.budget()).toMatchObject({
    systemTokens: 53,
    usedTokens: 200,
    availableTokens: 797,
    remainingTokens: 597,
    usagePercent: (100 * 200) / 797,
  });
});
