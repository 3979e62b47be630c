import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { withoutBytes } from '../../src/base/bytes.js';
import { equal } from '../../src/base/equal.js';
import { parseJson, stringifyJson } from '../../src/base/exact-json.js';
import { decodedText, jsonCopy, jsonText } from '../../src/base/json.js';
import { cutJson } from '../../src/kit/cut-json.js';
import { parseMessage } from '../../src/transcript/parse-message.js';
import { jsonObject } from '../../src/view/edited-message.js';

const large = '{"id":1234567890123456789,"list":[1.0,-0,12345678901234567890],"share":0.10}';

const number = fc.oneof(
  fc.constantFrom('0', '1', '-7', '1.0', '-0', '1e3', '1E400', '0.10', '1234567890123456789', '-0.0e-5'),
  fc.tuple(fc.bigInt(), fc.nat()).map(([whole, part]) => `${whole}.${part}0`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
);
const scalar = fc.oneof(
  number,
  fc.constantFrom('null', 'true', '"#1.0#"', '"# 1e3"', '": 1.0,"', '"\\\\"'),
  fc.string({ unit: codePoint }).map((text) => JSON.stringify(text)),
);
const key = fc.oneof(
  fc.constantFrom('__proto__', 'toString', 'constructor'),
  fc.stringMatching(/^[a-z]{1,5}$/),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'json' },
    scalar,
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
      .map((members) => `{${members.map(([name, one]) => `"${name}":${one}`).join(',')}}`),
  ),
}));

test('JSON is written as it was read, to the last digit', () => {
  fc.assert(
    fc.property(json, (inner) => {
      const text = `[${inner}]`;
      expect(stringifyJson(parseJson(text))).toBe(text);
    }),
  );
});

test('what was read is what JSON.parse reads', () => {
  fc.assert(
    fc.property(json, (text) => {
      expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      expect(equal(parseJson(text), JSON.parse(text))).toBe(true);
    }),
  );
});

test('spaces between the tokens change nothing', () => {
  const spaced = '{ "id" : 1234567890123456789 , "list" : [ 1.0 , -0\n] }';
  expect(stringifyJson(parseJson(spaced))).toBe('{"id":1234567890123456789,"list":[1.0,-0]}');
  expect(stringifyJson(parseJson('{"a":[1.0]}'), 2)).toBe('{\n  "a": [\n    1.0\n  ]\n}');
});

test('of a key that stands twice the last one is written', () => {
  expect(stringifyJson(parseJson('{"a":1.0,"a":2}'))).toBe('{"a":2}');
  expect(stringifyJson(parseJson('{"a":[1.0],"a":{"b":1.0}}'))).toBe('{"a":{"b":1.0}}');
  expect(stringifyJson(parseJson('{"a":1.0,"a":1}'))).toBe('{"a":1}');
});

test('a copy with another value is written with that value', () => {
  const value = parseJson(large) as Record<string, unknown>;
  expect(stringifyJson({ ...value, id: 5 })).toBe(large.replace('1234567890123456789', '5'));
  expect(stringifyJson({ ...value, list: [1] })).toBe(large.replace(/\[.*\]/, '[1]'));
});

test('texts, copies and edits keep the digits', () => {
  const value = parseJson(large);
  expect(jsonText(value)).toBe(large);
  expect(jsonText(jsonCopy(value))).toBe(large);
  expect(decodedText(value)).toContain('id: 1234567890123456789');
  expect(jsonText(jsonObject(large))).toBe(large);
  const withImage = { ...(value as object), image: new Uint8Array(3) };
  expect(stringifyJson(withoutBytes(withImage))).toContain('"id":1234567890123456789');
});

test('shortened JSON keeps the digits of what is left', () => {
  const rows = Array.from(
    { length: 40 },
    (_, at) => `{"id":12345678901234567${at + 10},"text":"${'word '.repeat(9)}"}`,
  );
  const cut = cutJson(parseJson(`[${rows.join(',')}]`), {
    maxTokens: 120,
    tokensOf: (text) => text.length / 4,
  });
  const ids = cut?.match(/"id":\d+/g) ?? [];
  expect(ids.length).toBeGreaterThan(3);
  expect(ids.at(0)).toBe('"id":1234567890123456710');
  expect(ids.at(-1)).toBe('"id":1234567890123456749');
  const list = cutJson(parseJson(`[${rows.map((_, at) => `${at}.0`).join(',')}]`), {
    maxTokens: 12,
    tokensOf: (text) => text.length / 4,
  });
  expect(list).toMatch(/^\[0\.0,1\.0,.*left out.*,38\.0,39\.0\]$/);
});

test('two numbers that JavaScript cannot tell apart are not equal', () => {
  const [one, other] = [parseJson('{"id":1234567890123456789}'), parseJson('{"id":1234567890123456788}')];
  expect(equal(one, other)).toBe(false);
  expect(equal(one, parseJson('{"id":1234567890123456789}'))).toBe(true);
});

test('a message may have such numbers anywhere', () => {
  const message = parseJson(`{"role":"user","content":"hi","metadata":${large}}`);
  expect(parseMessage(message, 0)).toBe(message);
});

test('deep nesting is read as JSON.parse reads it', () => {
  const deep = `${'['.repeat(50_000)}1.0${']'.repeat(50_000)}`;
  expect(parseJson(deep)).toBeDefined();
});
