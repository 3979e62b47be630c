import { main } from '../explain-an-excerpt.js';

test('every line of the excerpt has a reason and is in the view', async () => {
  const said = jest.spyOn(console, 'log').mockImplementation(() => {});
  const { record, notes } = await main();
  expect(said.mock.calls.length).toBe(9);
  said.mockRestore();
  expect(record?.tokensAfter).toBeLessThanOrEqual(10_000);
  expect(notes.lines.length).toBeGreaterThan(20);
  for (const { reason, text } of notes.lines) {
    expect(text).not.toBe('');
    expect(reason).toMatch(/\((agent, )?(user, )?\d+ messages?\)/);
  }
});
