import { messageText } from '@ctx/core';
import { main as withModel } from '../condense-with-a-model.js';
import { main as withoutModel } from '../condense-without-a-model.js';

beforeEach(() => {
  jest.spyOn(console, 'log').mockImplementation();
});

test('a model writes the summary, and the user’s requests are next to it word for word', async () => {
  const { manager, summary } = await withModel();
  expect(manager.stats().compressions).toBeGreaterThan(0);
  expect(manager.history[0]?.stages[0]).toMatchObject({ strategy: 'condense', status: 'progress' });
  const text = messageText(summary as NonNullable<typeof summary>);
  expect(text).toMatch(/## Current Work\nThe last part/);
  expect(text).toMatch(/\[Excerpt of what was said before, word for word\]\n/);
  expect(text).toMatch(/\n## read part-\d+\/notes\.txt/);
  expect(manager.status().lastCompression).toMatch(/^(just now|\d+ seconds? ago)$/);
});

test('without a model, passages of the conversation make it', async () => {
  const { record, summary } = await withoutModel();
  expect(record?.tokensAfter).toBeLessThan(6_000);
  expect(messageText(summary as NonNullable<typeof summary>)).toMatch(
    /^\[(?:Excerpt of what was said before|Done so far for the task above)[^\]]*\]\n## \S/,
  );
});
