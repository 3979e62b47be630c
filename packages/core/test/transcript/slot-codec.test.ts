import { type Message, type Part, partsOf } from '@ctx/core';
import { CallNames, type Fields, isFields, type Slot, SlotCodec, sourcesOf } from '@ctx/core/codec';
import { deepFreeze } from '@ctx/testing';

/** Lines that a role says. A line in brackets is a result, and `#` stands there for what says nothing of its own. */
interface Page {
  readonly role: string;
  readonly lines: readonly string[];
  readonly x_unknown?: number;
}

const resultOf = (line: string) => /^\[(\w+) (.*)\]$/.exec(line);

function slotsOf({ lines }: Page, indices: readonly number[] = [...lines.keys()]): Slot[] {
  return indices.map((index) => {
    const native = lines[index] as string;
    const [, toolCallId, output] = resultOf(native) ?? [];
    if (toolCallId !== undefined && output !== undefined)
      return { native, part: { type: 'tool-result', toolCallId, toolName: 'read', output } };
    return { native, part: native === '#' ? undefined : { type: 'text', text: native } };
  });
}

const pages: SlotCodec<Slot, Page> = new SlotCodec({
  name: 'pages',
  results: 'together',
  readAgain: ({ role }, { message, pieces }) => {
    const native = message as Page;
    if (native.role !== (role === 'tool' ? 'user' : role)) return undefined;
    const indices = pieces as readonly number[] | undefined;
    return {
      native,
      slots: slotsOf(native, indices),
      pieces: indices,
      whole: indices && native.lines.length,
    };
  },
  nativeOf: (part) => {
    if (part.type === 'text') return { native: part.text };
    return part.type === 'tool-result'
      ? { native: `[${part.toolCallId} ${String(part.output)}]` }
      : undefined;
  },
  written: ({ message: { role }, before, kept }) => {
    const lines = kept.map(({ spot }) => String(spot?.native));
    if (lines.length === 0) return undefined;
    return { ...(before?.native ?? { role: role === 'tool' ? 'user' : role }), lines };
  },
  lostIn: (part) => (part.type === 'text' && part.text === '' ? [{ place: 'text', what: 'text' }] : []),
  isFirst: ({ role }) => role === 'system',
});

const messageOf = (role: Message['role'], page: Page, indices?: readonly number[]) =>
  pages.message(role, slotsOf(page, indices), {
    message: page,
    ...(indices && { pieces: indices }),
  } as never);

const said = deepFreeze<Page>({ role: 'assistant', lines: ['one', '#', 'two'], x_unknown: 1 });
const mixed = deepFreeze<Page>({ role: 'user', lines: ['[a A]', 'why?', '[b B]'] });
const both = () => [messageOf('tool', mixed, [0, 2]), messageOf('user', mixed, [1])];
const edit = (message: Message, at: number, part: object | undefined) =>
  ({
    ...message,
    content: partsOf(message).flatMap((old, index) => (index === at ? (part ?? []) : old)),
  }) as Message;

test('a message comes back as the very object it came from', () => {
  expect(pages.fromMessages([messageOf('assistant', said)])[0]).toBe(said);
  expect(pages.fromMessages(both())[0]).toBe(mixed);
});

test('an edited part takes its slot, and the fields that the edit did not name stay', () => {
  const edited = edit(messageOf('assistant', said), 1, { type: 'text', text: '2' });
  expect(pages.fromMessages([edited])).toEqual([{ ...said, lines: ['one', '2'] }]);
});

test('the pieces of one native message are in their old order, also from a snapshot', () => {
  const edited = both().with(1, edit(both()[1] as Message, 0, { type: 'text', text: 'how?' }));
  const due = [{ role: 'user', lines: ['[a A]', 'how?', '[b B]'] }];
  expect(pages.fromMessages(edited)).toEqual(due);
  expect(pages.fromMessages(structuredClone(edited))).toEqual(due);
});

test('what is left of a native message does not say what has left', () => {
  expect(pages.fromMessages(both().slice(1))).toEqual([{ role: 'user', lines: ['why?'] }]);
});

test('results of another codec that follow each other are one native message', () => {
  const result = (toolCallId: string): Message => ({
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: 'read', output: toolCallId }],
  });
  expect(pages.fromMessages([result('a'), result('b')])).toEqual([
    { role: 'user', lines: ['[a a]', '[b b]'] },
  ]);
});

test('a message whose role has changed is written anew', () => {
  const changed = { ...messageOf('assistant', said), role: 'user' } as Message;
  expect(pages.fromMessages([changed])).toEqual([{ role: 'user', lines: ['one', 'two'] }]);
});

test('parts without a form, what values leave out, and a position are lost', () => {
  const output = { type: 'content', value: [{ type: 'image', image: 'aGk=' }] };
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'read', output };
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'image', image: 'aGk=' },
      ],
    },
    { role: 'tool', content: [result] },
    { role: 'system', content: 'be kind' },
  ] as Message[];
  expect(pages.losses(messages)).toEqual([
    { index: 0, place: 'content[0].text', what: 'text' },
    { index: 0, place: 'content[1]', what: 'image' },
    { index: 1, place: 'content[0].output.value[0]', what: 'image' },
    { index: 2, place: 'content', what: 'position' },
  ]);
  expect(pages.losses([messageOf('assistant', said)])).toEqual([]);
});

test('the newest call with an id names the tool, and the parts themselves name theirs', () => {
  const call = (toolName: string): Message => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'a', toolName, input: {} }],
  });
  const names = new CallNames([call('read'), call('write')]);
  expect([names.nameOf('a'), names.nameOf('b')]).toEqual(['write', undefined]);
  names.see(call('run'));
  expect(names.nameOf('a')).toBe('run');
  expect(CallNames.in(partsOf(call('list'))).nameOf('a')).toBe('list');
});

test('JSON has what the form stores in place of the native object', () => {
  const codec = new SlotCodec<Slot, Fields>({
    name: 'kept',
    readAgain: (_message, { message }) => (isFields(message) ? { native: message, slots: [] } : undefined),
    nativeOf: () => undefined,
    written: () => undefined,
    stored: ({ message: _object, ...others }) => ({ ...others, stored: 'text' }),
  });
  const { native } = codec.message('user', [], { message: new Map() });
  expect(JSON.parse(JSON.stringify(native))).toEqual({ codec: 'kept', stored: 'text' });
});

const textPart = (value: string): Part => ({ type: 'text', text: value });
const reasoning = (value: string): Part => ({ type: 'reasoning', text: value });
const callPart = (toolCallId: string, input = {}): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input,
});
const image: Part = { type: 'image', image: 'https://example.org/a.png' };

const before = [
  reasoning('1'),
  reasoning('1'),
  textPart('A'),
  image,
  callPart('a'),
  textPart('A'),
  callPart('b'),
];

test.each<[string, readonly Part[], readonly (number | undefined)[]]>([
  ['parts as they were', before, [0, 1, 2, 3, 4, 5, 6]],
  ['reasoning that has left', before.slice(2), [2, 3, 4, 5, 6]],
  ['the first of two equal parts that has left', before.slice(1), [1, 2, 3, 4, 5, 6]],
  ['a call that has left', before.toSpliced(4, 1), [0, 1, 2, 3, 5, 6]],
  [
    'a text that was shortened too',
    [textPart('-'), image, callPart('a'), textPart('A'), callPart('b')],
    [2, 3, 4, 5, 6],
  ],
  [
    'a call that was shortened too',
    [textPart('A'), image, callPart('a', { cut: 1 }), callPart('b')],
    [2, 3, 4, 6],
  ],
  [
    'an image that became text',
    [textPart('A'), textPart('[image]'), callPart('a'), textPart('A'), callPart('b')],
    [2, 3, 4, 5, 6],
  ],
  ['a part that is new', [...before, callPart('c')], [0, 1, 2, 3, 4, 5, 6, undefined]],
])('%s', (_title, parts, sources) => {
  expect(sourcesOf(parts, before)).toEqual(sources);
});
