import { withoutBytes } from '@ctx/core';

const bytes = new Uint8Array([1, 2, 3]);

test('bytes and URL objects become text, wherever they are, and the rest stays the same object', () => {
  const plain = { type: 'text', text: 'as it is' };
  const value = { list: [plain, { data: bytes.buffer }], url: new URL('https://example.com/a'), bytes };
  const written = withoutBytes(value) as typeof value;
  expect(written).toEqual({
    list: [plain, { data: 'AQID' }],
    url: 'https://example.com/a',
    bytes: 'AQID',
  });
  expect(written.list[0]).toBe(plain);
  expect(withoutBytes(plain)).toBe(plain);
});

test('a value that contains itself, or is deeper than a stack of calls, ends', () => {
  const round: Record<string, unknown> = { other: { type: 'text' } };
  round.self = round;
  expect(withoutBytes(round)).toBe(round);
  round.data = bytes;
  expect(withoutBytes(round)).toMatchObject({ data: 'AQID', self: { data: bytes } });

  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], bytes);
  expect(withoutBytes(deep)).toBe(deep);
});

test('a value that stands in two places is written in both', () => {
  const twice = { data: bytes };
  expect(withoutBytes([twice, twice])).toEqual([{ data: 'AQID' }, { data: 'AQID' }]);
});
