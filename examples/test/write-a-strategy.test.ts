import { messageText, toolCallsOf } from '@ctx/core';
import { testStrategy } from '@ctx/testing';
import { chatter, main, newestResults } from '../write-a-strategy.js';

testStrategy('newest-results', () => newestResults);
testStrategy('chatter', () => chatter({ keepNewest: 1 }));

test('a strategy of one file does what it says, at once and by its name', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const { messages, atOnce, byName } = await main();
  const said = (list: typeof messages, role: string) =>
    list.filter((one) => one.role === role).map(messageText);

  expect(atOnce.status).toBe('compressed');
  expect(atOnce.messages).toHaveLength(messages.length);
  expect(said(atOnce.messages, 'user')).toEqual(said(messages, 'user'));
  expect(atOnce.record?.rejected).toEqual([]);

  const results = atOnce.messages.flatMap(({ role, content }) =>
    role === 'tool' && typeof content !== 'string' ? content : [],
  );
  for (const tool of new Set(results.map(({ toolName }) => toolName))) {
    const newest = results.findLast(({ toolName }) => toolName === tool);
    expect(newest?.output).not.toBe(`[an older result of ${tool}]`);
  }
  expect(results).toContainEqual(expect.objectContaining({ output: '[an older result of read]' }));

  expect(byName.record?.stages.map(({ strategy }) => strategy)).toEqual(['newest-results', 'chatter']);
  expect(byName.messages.length).toBeLessThan(messages.length);
  expect(said(byName.messages, 'user')).toEqual(said(messages, 'user'));
  expect(byName.messages.flatMap(toolCallsOf)).toEqual(messages.flatMap(toolCallsOf));
});
