import fc from 'fast-check';
import { IntColumn } from '../src/int-column.js';
import { IntLists } from '../src/int-lists.js';

const some = 50_000;

test('a column of several pages holds every number, in whatever part it is read', () => {
  const column = new IntColumn();
  for (let at = 0; at < some; at += 1) column.set(at, at * 7);
  fc.assert(
    fc.property(fc.nat(some), fc.nat(some), (one, other) => {
      const [first, end] = [Math.min(one, other), Math.max(one, other)];
      const expected = Array.from({ length: end - first }, (_, at) => (first + at) * 7);
      expect(column.between(first, end).flatMap((few) => [...few])).toEqual(expected);
    }),
    { numRuns: 20 },
  );
  expect(column.at(some - 1)).toBe((some - 1) * 7);
});

test('a list may be in several pages', () => {
  const lists = new IntLists();
  const expected = Array.from({ length: 40 }, (_, list) =>
    Array.from({ length: (list * 997) % 5_003 }, (_, at) => list * at),
  );
  for (const list of expected) lists.add(list);
  for (const [number, list] of expected.entries()) {
    const copied = new Int32Array(list.length + 1);
    expect(lists.copy(number, copied, 1)).toBe(list.length + 1);
    expect([...copied.subarray(1)]).toEqual(list);
    expect(lists.itemsOf(number).flatMap((few) => [...few])).toEqual(list);
  }
});
