import { arbitraryTranscript, assistant, call, result, user } from '@ctx/testing';
import fc from 'fast-check';
import { messageSchema } from '../../src/transcript/message-schema.js';
import { isPlainMessage } from '../../src/transcript/parse-message.js';

const accepts = (value: unknown) => messageSchema.safeParse(value).success;

test.each<[string, unknown]>([
  ['a text', user('hi')],
  ['a list of texts', { role: 'system', content: [{ type: 'text', text: 'You help.' }] }],
  ['a call', call('a', 'read', { path: 'a.ts' })],
  ['a result', result('a', 'done')],
  ['a message with its native form', { ...assistant('hello'), native: { codec: 'openai' } }],
])('%s has the usual form', (_title, value) => {
  expect(isPlainMessage(value)).toBe(true);
});

test('a list in which something is missing has another form', () => {
  expect(isPlainMessage({ role: 'user', content: new Array(1) })).toBe(false);
});

/** What any field may hold. A list is sparse where a place in it is undefined. */
const odd = fc.oneof(
  fc.constantFrom(undefined, null, '', 0, Number.NaN, true, 'text', 'user', 'tool', 'tool-call', []),
  fc.array(fc.constant(undefined), { maxLength: 2 }).map((list) => new Array(list.length)),
  fc.record({ type: fc.constantFrom('text', 'tool-result', 'image'), text: fc.constantFrom('', 7) }),
);

/** A value with one of its fields, at any depth, replaced or gone. */
function damaged(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return odd;
  const list = Array.isArray(value) ? value.map((_, at) => String(at)) : Object.keys(value);
  return fc.constantFrom(...list, 'id', 'isError', 'pinned', 'metadata').chain((key) => {
    const changed = fc.oneof(odd, damaged((value as Record<string, unknown>)[key]));
    return changed.map((one) =>
      Array.isArray(value)
        ? value.map((item, at) => (String(at) === key ? one : item))
        : { ...value, [key]: one },
    );
  });
}

test('whatever has the usual form is accepted by the schema', () => {
  const messages = arbitraryTranscript.chain((all) => fc.constantFrom(...all));
  const values = fc.oneof(
    messages,
    messages.chain(damaged),
    messages.chain((message) => damaged(message).chain(damaged)),
  );
  let plain = 0;
  fc.assert(
    fc.property(values, (value) => {
      if (!isPlainMessage(value)) return;
      plain += 1;
      expect(accepts(value)).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(plain).toBeGreaterThan(100);
});
