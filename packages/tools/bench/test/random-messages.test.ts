import { system, user, words } from '@ctx/testing';
import { randomMessages, totalTokens } from '../src/index.js';
import { countWords as tokensOf } from './small-cut.js';

test('exchanges are drawn by chance: the same in every run, in their order, within the budget', async () => {
  const prefix = [
    system('be brief'),
    ...Array.from({ length: 40 }, (_, index) => user(`${words(8)} n${index}`)),
  ];
  const cut = { position: 41, prefix, prefixTokens: 360, systemTokens: 2, needed: [] };
  const task = { cut, model: {}, budget: 182, tokensOf };
  const { messages } = await randomMessages.compress(task);
  expect(totalTokens(messages, tokensOf)).toBeLessThanOrEqual(182);
  // 180 words of room, at nine words a message, less the line that may have to open the conversation.
  expect(messages.length).toBeGreaterThan(18);
  const places = messages.map((message) => prefix.indexOf(message));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places[0]).toBe(0);
  expect(places).not.toEqual(places.map((_, index) => index));
  expect((await randomMessages.compress(task)).messages).toEqual(messages);
});
