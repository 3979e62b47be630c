import { main } from '../subscribe-to-events.js';

test('a compression is reported from its reason to its end', async () => {
  const log = jest.spyOn(console, 'log').mockImplementation();
  const { seen, stats, messages } = await main();
  const lines = log.mock.calls.map(([line]) => String(line));

  expect(seen.get('message-append')).toBe(messages.length);
  expect(stats.compressions).toBeGreaterThan(0);
  expect(seen.get('compression-start')).toBe(stats.compressions);
  expect(seen.get('compression-end')).toBe(stats.compressions);
  expect(seen.get('transcript-rewind')).toBe(1);
  expect(seen.has('compression-fail')).toBe(false);
  expect(seen.has('listener-fail')).toBe(false);

  const names = lines.map((line) => line.split(' ')[0]);
  const start = names.indexOf('compression-start');
  const end = names.indexOf('compression-end');
  expect(names.slice(start, end)).toContain('strategy-select');
  expect(names.indexOf('usage-warning')).toBeLessThan(start);
  expect(names[end + 1]).toBe('level-change');
});
