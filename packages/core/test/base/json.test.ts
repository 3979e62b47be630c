import fc from 'fast-check';
import { decodedText, jsonText, valuesIn } from '../../src/base/json.js';

function nested(levels: number): unknown {
  let value: unknown = 'deep down';
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

test('decoded text has keys and unescaped strings, one line per entry', () => {
  const input = { path: 'C:\\a', lines: [1, 2], deep: { flag: true, none: null }, gone: undefined };
  expect(decodedText(input)).toBe('path: C:\\a\nlines: 1\n2\ndeep: flag: true\nnone: null\ngone: ');
  expect(decodedText('as it is')).toBe('as it is');
  expect(decodedText(undefined)).toBe('');
});

test('the JSON of a value equals JSON.stringify, if the value has JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonText(value)).toBe(JSON.stringify(value));
    }),
  );
  expect(jsonText(undefined)).toBe('');
});

test('neither function throws, whatever the value', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true }), (value) => {
      expect(typeof decodedText(value)).toBe('string');
      expect(typeof jsonText(value)).toBe('string');
    }),
    { numRuns: 100 },
  );
  const hostile = {
    get a() {
      throw new Error('no');
    },
  };
  expect(jsonText(hostile)).toBe('');
  expect(jsonText(Object.assign(Object.create(null), { big: 1n }))).toBe('big: 1');
});

test('deep nesting loses nothing', () => {
  expect(decodedText(nested(10_000))).toContain('deep down');
  expect(jsonText(nested(10_000))).toContain('deep down');
});

test('an object is entered only once, so a tangle of references ends', () => {
  const tangle = Array.from({ length: 200 }, (_, number) => ({ number, others: [] as unknown[] }));
  for (const one of tangle) one.others.push(...tangle);
  expect([...valuesIn(tangle)].length).toBeLessThan(200 * 210);
  expect(decodedText(tangle).match(/number: /g)).toHaveLength(200);
});
