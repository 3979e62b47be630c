import { messagesToKeep } from '../src/messages-to-keep.js';

test.each([
  [30, 40, 5],
  [30, 50, 3],
  [30, 60, 3],
  [30, 75, 3],
  [30, 85, 3],
  [30, 85.1, 2],
  [51, 40, 2],
  [50, 40, 5],
  [8, 95, 4],
  [9, 95, 4],
  [10, 95, 2],
])('of %d messages at %d percent, %d are kept', (total, percent, keep) => {
  expect(messagesToKeep(total, percent)).toBe(keep);
});

test('the number of messages to keep can be bounded', () => {
  expect(messagesToKeep(30, 40, { max: 4 })).toBe(4);
  expect(messagesToKeep(30, 95, { min: 3 })).toBe(3);
});
