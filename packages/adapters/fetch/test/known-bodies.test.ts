import { finish } from '@ctx/core';
import fc from 'fast-check';
import { type DecodedList, decodedList } from '../src/decoded-list.js';
import { KnownBodies } from '../src/known-bodies.js';
import { type Body, type WireForm, wireForms } from '../src/wire-form.js';

const call = (at: number) => ({ id: `call-${at}`, name: 'read', input: { path: `${at}.ts` } });

const toolUse = (at: number) => ({ toolUseId: `call-${at}` });

/** A turn of an agent as each API has it; where the system prompt stands outside the list, also that. */
const forms: Readonly<Record<string, { readonly others: Body; turn(at: number): readonly unknown[] }>> = {
  messages: {
    others: { system: [{ type: 'text', text: 'Be brief.' }], anthropic_version: 'bedrock-2023-05-31' },
    turn: (at) => [
      { role: 'user', content: `Look at ${at}.` },
      { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] },
      { role: 'assistant', content: [{ type: 'tool_use', ...call(at) }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `call-${at}`, content: `lines of ${at}` },
          { type: 'text', text: 'Go on.' },
        ],
      },
    ],
  },
  'bedrock-converse': {
    others: { system: [{ text: 'Be brief.' }] },
    turn: (at) => [
      { role: 'user', content: [{ text: `Look at ${at}.` }] },
      {
        role: 'assistant',
        content: [{ text: 'Yes.' }, { toolUse: { ...toolUse(at), name: 'read', input: {} } }],
      },
      {
        role: 'user',
        content: [
          { toolResult: { ...toolUse(at), content: [{ text: `lines of ${at}` }], status: 'success' } },
          { text: 'Go on.' },
        ],
      },
    ],
  },
  ollama: {
    others: { options: { num_ctx: 4_096 } },
    turn: (at) => [
      { role: at === 0 ? 'system' : 'user', content: `Look at ${at}.` },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'read', arguments: { at } } }] },
      { role: 'tool', tool_name: 'read', content: `lines of ${at}` },
    ],
  },
  chat: {
    others: {},
    turn: (at) => [
      { role: at === 0 ? 'system' : 'user', content: `Look at ${at}.` },
      {
        role: 'assistant',
        tool_calls: [{ id: `call-${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `call-${at}`, content: `lines of ${at}` },
    ],
  },
  input: {
    others: { instructions: 'Be brief.', store: false },
    turn: (at) => [
      { role: 'user', content: `Look at ${at}.` },
      { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: 'x' },
      { type: 'function_call', call_id: `call-${at}`, name: 'read', arguments: '{}' },
      { type: 'function_call', call_id: `other-${at}`, name: 'list', arguments: '{}' },
      { type: 'function_call_output', call_id: `call-${at}`, output: `lines of ${at}` },
      { type: 'function_call_output', call_id: `other-${at}`, output: 'none' },
    ],
  },
  contents: {
    others: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
    turn: (at) => [
      { role: 'user', parts: [{ text: `Look at ${at}.` }] },
      { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { lines: at } } }] },
    ],
  },
};

const shapeOf = (form: WireForm) =>
  forms[form.codec.name] ?? (form.answers === 'chat' ? forms.chat : forms[form.list]);
const turnsOf = (form: WireForm, count: number) =>
  Array.from({ length: count }, (_, at) => shapeOf(form)?.turn(at) ?? []).flat();
const bodyOf = (form: WireForm, list: readonly unknown[], more: Body = {}): Body => ({
  model: 'm',
  ...shapeOf(form)?.others,
  [form.list]: list,
  ...more,
});

test('a body is read as if it were the first, whatever was read before', () => {
  const space = fc.constantFrom('', ' ', '\n\t');
  const element = fc.oneof(
    fc.record({
      role: fc.constantFrom('user', 'a'),
      content: fc.constantFrom('x', '"', '}],', '\\', 'é\u{1f600}'),
    }),
    fc.constantFrom(1, 12, 'x', null, [], {}, [{}], { messages: [1] }),
  );
  const text = fc
    .record({
      before: fc.constantFrom('', '"a":1,', '"messages":[{"role":"user"}],', '"a":{"messages":[2]},'),
      list: fc.array(element, { maxLength: 5 }),
      space,
      after: fc.constantFrom(
        '',
        ',"tools":[1]',
        ',"tools":[12]',
        ',"messages":[{}]',
        ',"b":"]"',
        ',"__proto__":1',
      ),
    })
    .map(({ before, list, space, after }) => {
      const elements = list.map((one) => `${space}${JSON.stringify(one)}${space}`).join(',');
      return `${space}{${before}"messages":${space}[${elements}]${after}}${space}`;
    });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      const bodies = new KnownBodies();
      for (const one of texts) {
        const { value, source } = bodies.read(one, 'messages', 'ann');
        expect(value).toEqual(JSON.parse(one));
        expect(Object.keys(value)).toEqual(Object.keys(JSON.parse(one)));
        expect(source.withMembers({})).toBe(one);
      }
    }),
    { numRuns: 500 },
  );
});

test('what is no JSON is refused, also where its beginning is known', () => {
  const bodies = new KnownBodies();
  const whole = '{"messages":[{"role":"user","content":"a"}],"tools":[]}';
  bodies.read(whole, 'messages', 'ann');
  for (const broken of ['{"role":1', ',', ', {}}', ' {}'])
    expect(() => bodies.read(whole.replace('}],', `}${broken}],`), 'messages', 'ann')).toThrow(SyntaxError);
});

test('nobody is given what somebody else has sent', () => {
  const bodies = new KnownBodies();
  const text = '{"messages":[{"role":"user","content":"a"}]}';
  const { list } = bodies.read(text, 'messages', 'ann');
  expect(bodies.read(text, 'messages', 'bob').list[0]).not.toBe(list[0]);
  expect(bodies.read(text, 'messages', 'ann').list[0]).toBe(list[0]);
});

describe.each(wireForms.map((form) => [`${form.provider} ${form.path}`, form] as const))('%s', (_, form) => {
  test('a history that grows, loses its end and is marked elsewhere is decoded as if it were the first', () => {
    const turns = turnsOf(form, 6);
    const marked = (list: readonly unknown[]) =>
      list.map((one, at) => (at === list.length - 1 ? { ...(one as object), marked: true } : one));
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            length: fc.integer({ min: 1, max: turns.length }),
            isMarked: fc.boolean(),
            tools: fc.boolean(),
          }),
          { minLength: 2, maxLength: 8 },
        ),
        (requests) => {
          const bodies = new KnownBodies();
          for (const { length, isMarked, tools } of requests) {
            const list = turns.slice(0, length);
            const body = bodyOf(form, isMarked ? marked(list) : list, tools ? { tools: [] } : {});
            const known = bodies.read(JSON.stringify(body), form.list, 'ann');
            expect(known.value).toEqual(body);
            known.decoded = finish(decodedList(form, known.value, known.list, known.decoded));
            expect(known.decoded.messages).toEqual(form.codec.toMessages(form.read(body)));
          }
        },
      ),
    );
  });

  test('what a turn costs is what is new in it, however long the history is', () => {
    const worked = jest.spyOn(form.codec, 'toMessages');
    const parsed = jest.spyOn(JSON, 'parse');
    const costOf = (turns: number) => {
      const bodies = new KnownBodies();
      let decoded: DecodedList | undefined;
      const read = (count: number) => {
        const text = JSON.stringify(bodyOf(form, turnsOf(form, count)));
        const known = bodies.read(text, form.list, 'ann');
        decoded = finish(decodedList(form, known.value, known.list, known.decoded));
        known.decoded = decoded;
      };
      read(turns);
      read(turns + 1);
      worked.mockClear();
      parsed.mockClear();
      read(turns + 2);
      const elements = worked.mock.calls.flatMap(([history]) =>
        Array.isArray(history) ? history : (history as Record<string, unknown[]>)[form.list],
      );
      const characters = parsed.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
      return { elements: elements.length, characters };
    };
    try {
      const [short, long] = [costOf(10), costOf(1_000)];
      expect(short.elements).toBe(turnsOf(form, 1).length);
      expect(long.elements).toBe(short.elements);
      expect(long.characters).toBeLessThan(short.characters * 1.3);
    } finally {
      worked.mockRestore();
      parsed.mockRestore();
    }
  });
});

test('the newest body of each conversation is kept, up to a number of them and of characters', () => {
  const bodies = new KnownBodies();
  const text = (name: string, turns: number, length = 100) =>
    JSON.stringify({
      messages: Array.from({ length: turns }, (_, at) => ({ name, at, text: 'x'.repeat(length) })),
    });
  for (let turn = 1; turn < 5; turn += 1) bodies.read(text('one', turn), 'messages', 'ann');
  expect(bodies.size).toBe(1);
  for (let name = 0; name < 300; name += 1) bodies.read(text(`${name}`, 1), 'messages', 'ann');
  expect(bodies.size).toBe(200);
  for (let name = 0; name < 10; name += 1) bodies.read(text(`long ${name}`, 1, 6_000_000), 'messages', 'ann');
  expect(bodies.size).toBe(5);
  expect(bodies.characters).toBeLessThan(32_000_000);
  bodies.read(text('giant', 1, 20_000_000), 'messages', 'ann');
  expect(bodies.size).toBe(5);
});
