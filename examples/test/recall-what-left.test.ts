import { main } from '../recall-what-left.js';

test('what left the view is recalled word for word', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const { lost, found, nothing } = await main();
  expect(lost.length).toBeGreaterThan(40);
  expect(found).toContain(lost);
  expect(found).toMatch(/^From earlier in this conversation, word for word\./);
  expect(nothing).toMatch(/^Nothing was found\. Try/);
});
