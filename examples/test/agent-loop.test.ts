import { main } from '../agent-loop.js';

test('the loop finishes every task, and the server never sees a request that breaks a rule', async () => {
  jest.spyOn(console, 'log').mockImplementation();
  const { seen, records, sent, rule, tasks, stats } = await main();

  expect(seen.invalid).toEqual([]);
  expect(seen.accepted).toBe(4 * tasks.length);
  expect(seen.refused).toBeGreaterThan(0);
  expect(records).toContain('the provider reported a context overflow');
  expect(records.some((reason) => reason.includes('not fit the window of 10000'))).toBe(true);
  expect(seen.largest).toBeLessThanOrEqual(8200);

  expect(sent).toContain(rule);
  expect(sent).toContain(tasks.at(-1));
  expect(sent.at(-1)).toBe('Part 5 holds notes.');
  expect(stats.quality).toBe('calibrated');
  expect(stats.messages).toBeLessThan(stats.transcriptMessages);
});
