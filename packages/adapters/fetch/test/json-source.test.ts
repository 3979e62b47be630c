import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { JsonSource } from '../src/json-source.js';

/** JSON as someone else's writer might have written it: spaces, numbers in other forms, keys twice. */
const space = fc.constantFrom('', ' ', '\n  ', '\t');
const scalar = fc.oneof(
  fc.string({ unit: codePoint }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '1.0',
    '1e3',
    '-0',
    '12345678901234567890',
    'true',
    'false',
    'null',
    '"\\\\"',
    '"\\u0041\\""',
    '{}',
    '[]',
    '[ ]',
  ),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'json' },
    scalar,
    fc
      .array(fc.tuple(space, tie('json'), space), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join('')).join(',')}]`),
    fc
      .array(
        fc.tuple(
          space,
          fc.constantFrom('"a"', '"b"', '"0"', '"__proto__"', '"\\u0061"'),
          space,
          tie('json'),
          space,
        ),
        { maxLength: 4 },
      )
      .map(
        (members) => `{${members.map(([a, key, b, value, c]) => `${a}${key}${b}:${value}${c}`).join(',')}}`,
      ),
  ),
}));

test('whatever is not named stays as it came, to the byte', () => {
  fc.assert(
    fc.property(space, json, json, json, (before, first, second, third) => {
      const text = `${before}{ "first" : ${first},"list":[${second} , ${third}],\n"last":${first} }`;
      const changed = new JsonSource(text).withMembers({ first: 'changed' });
      expect(changed).toBe(`{"first":"changed","list":[${second} , ${third}],"last":${first}}`);
    }),
  );
});

test('objects that are left in a list are written as they came, wherever they go', () => {
  fc.assert(
    fc.property(fc.array(json, { maxLength: 5 }), fc.array(fc.nat({ max: 4 })), (items, order) => {
      const objects = items.map((item, at) => `{"at": ${at}.0,"value":${item} }`);
      const source = new JsonSource(`{"list":[${objects.join(' ,')}],"rest":1.0}`);
      const { list } = source.value as { list: object[] };
      const chosen = order.filter((at) => at < list.length);
      const text = source.withMembers({ list: chosen.map((at) => list[at]) });
      expect(text).toBe(`{"list":[${chosen.map((at) => objects[at]).join(',')}],"rest":1.0}`);
    }),
  );
});

test('a member is taken away, and a new one comes last', () => {
  const source = new JsonSource('{"system":"old","messages":[],"max_tokens": 10}');
  expect(source.withMembers({ system: undefined })).toBe('{"messages":[],"max_tokens":10}');
  expect(new JsonSource('{"messages":[]}').withMembers({ system: 'new' })).toBe(
    '{"messages":[],"system":"new"}',
  );
  expect(new JsonSource('{}').withMembers({ system: 'new' })).toBe('{"system":"new"}');
});

test('what is no JSON is refused', () => {
  for (const text of ['', '{', 'undefined', '{"a":1}}', '<html>'])
    expect(() => new JsonSource(text)).toThrow(SyntaxError);
});

test('a copy of an object is written with the numbers that it came with', () => {
  const source = new JsonSource('{"list":[{"id":1234567890123456789,"text":"long","in":[1.0,{"a":1e3}]}]}');
  const { list } = source.value as { list: { in: unknown[] }[] };
  const [first] = list;
  const shorter = { ...first, text: 'l…', more: [...(first?.in ?? [])] };
  expect(source.withMembers({ list: [shorter] })).toBe(
    '{"list":[{"id":1234567890123456789,"text":"l…","in":[1.0,{"a":1e3}],"more":[1,{"a":1e3}]}]}',
  );
});
