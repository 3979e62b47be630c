import { type AnthropicRequest, validate } from '@ctx/codec-anthropic';

const thinking = (id: string) => ({ type: 'thinking', thinking: '', signature: id });
const redacted = (id: string) => ({ type: 'redacted_thinking', data: id });
const text = (value: string, more = {}) => ({ type: 'text', text: value, ...more });
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, content: unknown = `${id} says`) => {
  return { type: 'tool_result', tool_use_id: id, content };
};
const user = (...content: unknown[]) => ({ role: 'user', content });
const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
const read = { name: 'read', input_schema: { type: 'object' } };
const later = { name: 'later', defer_loading: true };

const go = { role: 'user', content: 'go' };
const first = assistant(thinking('t1'), use('a'));
const second = assistant(thinking('t2'), text('now b'), redacted('t3'), use('b'));
const third = assistant(thinking('t4'), use('c'));
const all = [go, first, user(result('a')), second, user(result('b')), third, user(result('c'))];

const request = (messages: unknown[], more = {}) =>
  ({ system: 'be kind', tools: [read], messages, ...more }) as AnthropicRequest;
const before = [request(all.slice(0, 1)), request(all.slice(0, 3)), request(all.slice(0, 5))];

const bound = (now: AnthropicRequest, earlier = before) =>
  validate(now, { before: earlier })
    .filter(({ rule }) => rule === 'thinking-bound')
    .map(
      ({ index, detail }) =>
        `${index}: ${detail.replace('The thinking at ', '').replace('is bound to another prefix: ', '')}`,
    );

const changed = (position: number, message: unknown) => request(all.with(position, message as never));

const edited = assistant(thinking('t2'), text('b!'), redacted('t3'), use('b'));
const shown = [...before, request(all)];

const at = (message: number, block: number) => `messages[${message}].content[${block}]`;
/** What is said of thinking, with the place of what differs before it. */
const differs = (message: number, block: number, where: string) =>
  `${message}: ${at(message, block)} ${where} differs from what stood there.`;

test.each<[string, AnthropicRequest, string[], AnthropicRequest[]]>([
  ['nothing without the requests before', changed(2, user(result('a', 'cut'))), [], []],
  [
    'each block that a change invalidates, with the place of the change',
    changed(2, user(result('a', 'cut'))),
    [differs(3, 0, at(2, 0)), differs(3, 2, at(2, 0)), differs(5, 0, at(2, 0))],
    before,
  ],
  [
    'what was said in the same answer before a block',
    changed(3, edited),
    [differs(3, 2, at(3, 1)), differs(5, 0, at(3, 1))],
    shown,
  ],
  ['a tool that is loaded later is no change', request(all, { tools: [read, later] }), [], before],
])('what is reported: %s', (_title, now, expected, earlier) => {
  expect(bound(now, earlier)).toEqual(expected);
});

test.each([
  ['the system prompt', request(all, { system: 'be brief' }), 1, 'the system prompt differs.'],
  ['a missing system prompt', request(all, { system: undefined }), 1, 'the system prompt differs.'],
  ['the tools', request(all, { tools: [{ ...read, name: 'grep' }] }), 1, 'the tools differ.'],
  ['a missing block', request([go, ...all.slice(3)]), 1, `before[1].${at(1, 1)} is gone.`],
  ['a new block', request([go, user(text('and')), ...all.slice(1)]), 2, `${at(1, 0)} was not there.`],
])('the prefix of the first thinking has another form by %s', (_title, now, message, what) => {
  expect(bound(now)[0]).toBe(`${message}: ${at(message, 0)} ${what}`);
});

test('thinking may leave from the front, not from between', () => {
  const idOf = (block: unknown) => Object.values(block as object).at(-1) as string;
  const without = (...ids: string[]) =>
    request(
      all.map(({ role, content }) =>
        typeof content === 'string'
          ? { role, content }
          : { role, content: content.filter((block) => !ids.includes(idOf(block))) },
      ),
    );
  expect(bound(without('t1'))).toEqual([]);
  expect(bound(without('t1', 't2', 't3'))).toEqual([]);
  expect(bound(without('t1', 't2', 't3', 't4'))).toEqual([]);
  expect(bound(without('t4'))).toEqual([]);
  expect(bound(without('t3'))).toEqual([
    '5: messages[5].content[0] thinking is missing near messages[1].content[0], between thinking that was kept.',
  ]);
});

test('what a view shows again after an undo is compared with what it was written under', () => {
  const summed = request([{ role: 'user', content: 'a summary' }]);
  const whole = [...before, request(all), summed];
  expect(bound(request(all), whole)).toEqual([]);
  const answered = request([...summed.messages, assistant(thinking('t5'), text('ok')), go]);
  expect(bound(answered, whole)).toEqual([]);
  expect(
    bound(request([...all, assistant(thinking('t5'), text('ok')), go]), [...whole, answered]),
  ).toHaveLength(1);
});

test('thinking that was not shown at first belongs to the request that its answer followed', () => {
  const silent = { role: 'assistant', content: [second.content[1], second.content[3]] };
  const hidden = request([...all.slice(0, 3), silent, ...all.slice(4, 5)]);
  const sent = [...before.slice(0, 2), hidden];
  expect(bound(request(all.slice(0, 5)), sent)).toEqual([]);
  expect(bound(request(all.slice(0, 5).with(2, user(result('a', 'cut')))), sent)).toHaveLength(2);
});

test('a compaction block stands for what was before it', () => {
  const summary = assistant({ type: 'compaction', content: 'a was read' });
  const kept = [summary, ...all.slice(2)];
  expect(bound(request(kept))).toEqual([]);
  const earlier = [...before, request(all), request(kept)];
  const grown = [...kept, assistant(thinking('t5'), text('ok')), go];
  expect(bound(request(grown), earlier)).toEqual([]);
  expect(
    bound(request([...kept.with(1, user(result('a', 'cut'))), ...grown.slice(kept.length)]), earlier),
  ).toHaveLength(4);
});

test('a malformed earlier request is reported with its place', () => {
  const broken = { messages: [{ role: 'tool', content: 'x' }] } as never;
  expect(() => validate(request(all), { before: [broken] })).toThrow('before[0].messages[0].role');
});
