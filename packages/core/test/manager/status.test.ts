import { ago } from '../../src/manager/report.js';

test.each([
  [undefined, 'never'],
  [0, 'just now'],
  [999, 'just now'],
  [1000, '1 second ago'],
  [59_999, '59 seconds ago'],
  [120_000, '2 minutes ago'],
  [3_600_000, '1 hour ago'],
  [200_000_000, '2 days ago'],
  [-5, 'just now'],
])('%s ms is %s', (passed, words) => {
  expect(ago(passed === undefined ? undefined : 1_000_000_000 - passed, 1_000_000_000)).toBe(words);
});
