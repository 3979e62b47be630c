import { main } from '../read-within-budget.js';

test('what fits is read, what is too large or outside is refused, and the reason is for the model', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation();
  const { files, totals } = await main();
  expect(files.map(({ path, status }) => [path, status])).toEqual([
    ['CONTRIBUTING.md', 'read'],
    ['packages/core/src/budget/trigger.ts', 'read'],
    ['pnpm-lock.yaml', 'blocked'],
    ['../secrets.txt', 'blocked'],
  ]);
  expect(totals).toMatchObject({ read: 2, blocked: 2, failed: 0 });
  expect(String(log.mock.calls[0]?.[0])).toMatch(/^\d+\.\d % used \(\w+\), \d+ tokens left$/);
});
