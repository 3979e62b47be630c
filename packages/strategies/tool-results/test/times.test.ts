import { ContextManager } from '@ctx/core';
import { toolResults } from '@ctx/strategy-tool-results';
import { call, result, user, wordCounter, words } from '@ctx/testing';

test('terminal output without a time is cleared if it was appended long ago', async () => {
  let now = 0;
  const manager = new ContextManager({
    strategies: [toolResults({ terminal: { keepNewest: 1, placeholder: '[old]' } })],
    counter: wordCounter,
    now: () => now,
    config: { contextWindow: 10_000 },
  });
  for (const [index, minutes] of [0, 10, 20].entries()) {
    now = minutes * 60_000;
    manager.append(user('next'));
    manager.append(call(`c${index}`, 'bash', { command: `${index}` }));
    manager.append(result(`c${index}`, words(50, `r${index}`)));
  }
  now = 16 * 60_000 + 1;
  await manager.compress({ targetTokens: 10 });
  const shown = manager.view().filter(({ role }) => role === 'tool');
  expect(shown.map(({ content }) => JSON.stringify(content).includes('[old]'))).toEqual([true, false, false]);
});
