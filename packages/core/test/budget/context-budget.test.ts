import { managerOf, system, user, words } from '@ctx/testing';
import { contextBudget } from '../../src/budget/context-budget.js';

const budget = (usedTokens: number, contextWindow = 1000) =>
  contextBudget({ contextWindow, reservedTokens: 100, systemTokens: 100, usedTokens });

test('the available tokens are the window minus the answer and the system prompt', () => {
  expect(budget(200)).toEqual({
    contextWindow: 1000,
    reservedTokens: 100,
    systemTokens: 100,
    usedTokens: 200,
    availableTokens: 800,
    remainingTokens: 600,
    usagePercent: 25,
    band: 'safe',
  });
});

test.each([
  [399, 'safe'],
  [400, 'caution'],
  [600, 'caution'],
  [601, 'warning'],
  [680, 'warning'],
  [681, 'critical'],
  [2000, 'critical'],
])('%d of 800 tokens are %s', (used, band) => {
  expect(budget(used).band).toBe(band);
});

test('if the answer and the system prompt fill the window, nothing is available or left', () => {
  expect(budget(0, 200)).toMatchObject({
    availableTokens: 0,
    remainingTokens: 0,
    usagePercent: 100,
    band: 'critical',
  });
  expect(budget(50, 10)).toMatchObject({ availableTokens: 0, remainingTokens: 0, usagePercent: 100 });
});

test('if more is used than is available, nothing is left', () => {
  expect(budget(2000)).toMatchObject({ remainingTokens: 0, usagePercent: 250 });
});

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
