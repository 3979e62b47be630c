import { main } from '../archive-and-find.js';

test('what left the window is found, read whole and explained', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const { manager, found, whole, where } = await main();
  const [best] = found;
  expect(found.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(400);
  const said = manager.transcript[(best?.message ?? 0) - 1];
  expect(where?.id).toBe(said?.id);
  expect(where?.state).not.toBe('whole');
  const shown = new Set(manager.view());
  expect(said && shown.has(said.message)).toBe(false);
  expect(whole?.map(({ text }) => text).join('')).toContain(best?.text);
});
