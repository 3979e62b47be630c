import { arbitraryTranscript } from '@ctx/testing';
import fc from 'fast-check';
import { messageSchema } from '../src/transcript/message.js';
import { isPlainMessage } from '../src/transcript/plain-message.js';

const odd = fc.oneof(
  fc.constantFrom(undefined, null, '', 'x', 0, -1, Number.NaN, true, [], {}, [{}], { type: 'text' }),
  fc.constantFrom('system', 'user', 'assistant', 'tool', 'text', 'reasoning', 'tool-call', 'tool-result'),
  fc.anything(),
);
const keys = [
  'type',
  'text',
  'role',
  'content',
  'output',
  'value',
  'toolCallId',
  'toolName',
  'input',
  'isError',
];
const others = ['id', 'createdAt', 'priority', 'pinned', 'summary', 'metadata', 'native', 'encrypted'];

/** Puts a value somewhere into a copy of a message, or takes one away. */
function changed(
  value: unknown,
  { path, key, put }: { path: number[]; key: string; put?: unknown },
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const at = (path[0] ?? 0) % Math.max(1, value.length);
    return value.map((one, index) => (index === at ? changed(one, { path: path.slice(1), key, put }) : one));
  }
  const fields = value as Record<string, unknown>;
  const inner = Object.keys(fields).filter(
    (name) => typeof fields[name] === 'object' && fields[name] !== null,
  );
  const [step = 0, ...rest] = path;
  const into = inner[step % (inner.length + 1)];
  if (into !== undefined) return { ...fields, [into]: changed(fields[into], { path: rest, key, put }) };
  const { [key]: _, ...without } = fields;
  return put === undefined ? without : { ...without, [key]: put };
}

const spoilt = fc
  .tuple(
    arbitraryTranscript.filter(({ length }) => length > 0).chain((messages) => fc.constantFrom(...messages)),
    fc.array(
      fc.record({
        path: fc.array(fc.nat(5), { maxLength: 4 }),
        key: fc.constantFrom(...keys, ...others),
        put: odd,
      }),
      {
        maxLength: 3,
      },
    ),
  )
  .map(([message, changes]) =>
    changes.reduce<unknown>((so, change) => changed(so, change as never), message),
  );

test('what the quick look accepts, the schema accepts', () => {
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(fc.oneof(spoilt, odd), (value) => {
      const isValid = messageSchema.safeParse(value).success;
      if (!isValid) refused += 1;
      if (!isPlainMessage(value)) return;
      accepted += 1;
      expect(isValid).toBe(true);
    }),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(300);
  expect(refused).toBeGreaterThan(300);
});

test.each([
  { role: 'user', content: 'Hello' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }],
    native: {},
  },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: 'text' }] },
])('it accepts what agents say: %j', (message) => {
  expect(isPlainMessage(message)).toBe(true);
});
