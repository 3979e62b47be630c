import { main } from '../manage-context.js';

test('the conversation is summarised with the files that were read, and truncated if a model fails', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const { managed, failed, half } = await main();
  expect(managed.status).toBe('compressed');
  expect(managed.summary).toMatch(
    /## File Context: packages\/core\/src\/budget\/trigger\.ts\n[\s\S]*# Open files/,
  );
  expect(managed).not.toHaveProperty('usage');
  expect(failed.condenseError).toMatch(/empty/);
  // A model that answers nothing is not asked for the other part of the conversation.
  expect(failed.usage?.cost).toBe(0.02);
  expect(half.length).toBeGreaterThan(2);
});
