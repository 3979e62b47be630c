import { anthropicCodec } from '@ctx/codec-anthropic';
import { type ReadOptions, readSession } from '@ctx/sessions';
import { expectAccepted, expectRefused, jsonLines, outline, sessionFile } from '../session-file.js';

let count = 0;
const record = (type: string, fields: object = {}) => {
  count += 1;
  const timestamp = new Date(1_700_000_000_000 + count * 1000).toISOString();
  return { type, sessionId: 's1', uuid: `u${count}`, isSidechain: false, timestamp, ...fields };
};
const user = (content: unknown, fields: object = {}) =>
  record('user', { message: { role: 'user', content }, ...fields });
const result = (id: string, content = `${id} done`) =>
  user([{ type: 'tool_result', tool_use_id: id, content }]);
const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string) => ({ type: 'tool_use', id, name: 'bash', input: { command: 'ls' } });
const assistant = (id: string, block: object, fields: object = {}) =>
  record('assistant', {
    message: { id, type: 'message', role: 'assistant', model: 'claude-x', content: [block], ...fields },
  });

async function read(records: readonly unknown[], options?: ReadOptions) {
  const session = await readSession(sessionFile(jsonLines(...records)), options);
  expectAccepted(session);
  return session;
}

test('puts the lines of one response together', async () => {
  const session = await read([
    user('fix it'),
    assistant('m1', { type: 'thinking', thinking: 'hm', signature: 'sig' }, { usage: { output_tokens: 1 } }),
    assistant('m1', text('I look')),
    assistant('m1', call('a'), {
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 20,
        cache_creation_input_tokens: 7,
        output_tokens: 9,
      },
    }),
    result('a'),
    assistant('m2', text('fixed')),
  ]);

  expect(session).toMatchObject({
    id: 's1',
    format: 'claude-code',
    provider: 'anthropic',
    model: 'claude-x',
  });
  const said = ['user fix it', 'assistant call a I look', 'tool result a a done', 'assistant fixed'];
  expect(outline(session.messages)).toEqual(said);
  expect(session.usage).toEqual([
    {
      index: 1,
      inputTokens: 30,
      outputTokens: 9,
      cacheReadTokens: 20,
      cacheWriteTokens: 7,
      provider: 'anthropic',
      model: 'claude-x',
      aborted: false,
    },
  ]);
  expect(anthropicCodec.fromMessages(session.messages).messages[1]).toEqual({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }, text('I look'), call('a')],
  });
});

test('gives each message the time of its first line', async () => {
  const { messages } = await read([
    user('hi', { timestamp: '2026-01-01T00:00:00.000Z' }),
    { ...assistant('m1', text('one')), timestamp: '2026-01-01T00:00:01.000Z' },
    { ...assistant('m1', text('two')), timestamp: '2026-01-01T00:00:02.000Z' },
    user('no time', { timestamp: 'yesterday' }),
  ]);
  const start = Date.UTC(2026, 0, 1);
  expect(messages.map((message) => message.createdAt)).toEqual([start, start + 1000, undefined]);
});

test('puts results of parallel calls behind their message, and into one native message', async () => {
  const answered = (id: string) => [assistant('m1', call(id)), result(id)];
  const session = await read([user('look'), ...answered('a'), ...answered('b')]);
  const results = ['tool result a a done', 'tool result b b done'];
  expect(outline(session.messages)).toEqual(['user look', 'assistant call a call b', ...results]);
  const native = anthropicCodec.fromMessages(session.messages);
  expect(native.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'user']);
  expect(anthropicCodec.validate(native)).toEqual([]);
});

test('splits a line with results and text', async () => {
  const content = [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }, text('and hurry')];
  const session = await read([user('look'), assistant('m1', call('a')), user(content)]);
  expect(outline(session.messages).slice(2)).toEqual(['tool result a ok', 'user and hurry']);
});

test('leaves out records that do not belong to the conversation, and counts them', async () => {
  const session = await read([
    { type: 'file-history-snapshot', messageId: 'x' },
    { type: 'summary', summary: 'A title', leafUuid: 'y' },
    record('progress'),
    record('progress'),
    user('caveat', { isMeta: true }),
    user('sub-agent', { isSidechain: true }),
    user('hi'),
    user('sub-agent', { isSidechain: true }),
    assistant('e1', text('API Error'), {}),
    { ...assistant('e2', text('API Error')), isApiErrorMessage: true },
  ]);
  expect(outline(session.messages)).toEqual(['user hi', 'assistant API Error']);
  expect(session.leftOut).toEqual({
    'file-history-snapshot': 1,
    summary: 1,
    progress: 2,
    meta: 1,
    sidechain: 2,
    'api-error': 1,
  });
});

test('reads the file of a sub-agent', async () => {
  const agent = { isSidechain: true, agentId: 'a7' };
  const session = await read([user('find it', agent), { ...assistant('m1', text('found')), ...agent }]);
  expect(session.id).toBe('a7');
  expect(outline(session.messages)).toEqual(['user find it', 'assistant found']);
});

test('skips records that occur twice in the file', async () => {
  const repeated = user('hi');
  const calling = [assistant('m1', call('a')), assistant('m1', call('a'))];
  const session = await read([repeated, repeated, ...calling, result('a'), result('a')]);
  expect(outline(session.messages)).toEqual(['user hi', 'assistant call a', 'tool result a a done']);
  expect(session.skipped).toEqual([
    { line: 4, reason: 'The same message contains this tool call twice' },
    { line: 6, reason: 'The call a is answered already' },
  ]);
});

describe('a session that was rewound', () => {
  const under = (parentUuid: string | null, one: object, uuid: string) => ({ ...one, parentUuid, uuid });
  const said = [
    under(null, user('Add a cache.'), 'a'),
    under('a', assistant('m1', text('Shall I use Redis?')), 'b'),
    under('b', user('Yes, on port 6380.'), 'c'),
    under('c', assistant('m2', call('x')), 'd'),
    under('d', result('x'), 'e'),
  ];

  test('is the newest line and its parents, without what was taken back', async () => {
    const other = [
      under('b', user('No, keep it in memory.'), 'f'),
      under('f', assistant('m3', text('A Map it is.')), 'g'),
    ];
    const session = await read([...said, ...other]);
    expect(outline(session.messages)).toEqual([
      'user Add a cache.',
      'assistant Shall I use Redis?',
      'user No, keep it in memory.',
      'assistant A Map it is.',
    ]);
    expect(session.leftOut).toEqual({ 'taken-back': 3 });
    expect(session.skipped).toEqual([]);
  });

  test('to its first prompt has only what came since', async () => {
    const session = await read([...said, under(null, user('Add a queue.'), 'f')]);
    expect(outline(session.messages)).toEqual(['user Add a queue.']);
  });

  test('before a compaction knows nothing of that', async () => {
    const session = await read([
      ...said,
      under('e', record('system', { subtype: 'compact_boundary' }), 'f'),
      under('f', user('Summary', { isCompactSummary: true }), 'g'),
      under('b', user('No.'), 'h'),
    ]);
    const left = ['user Add a cache.', 'assistant Shall I use Redis?', 'user No.'];
    expect(outline(session.messages)).toEqual(left);
    expect(session.compactions).toBeUndefined();
  });
});

test('calls of one response and their results are branches that all belong to the conversation', async () => {
  const at = (parentUuid: string | null, one: object, uuid: string) => ({ ...one, parentUuid, uuid });
  const { messages, leftOut } = await read([
    at(null, user('look'), 'a'),
    at('a', assistant('m1', call('x')), 'b'),
    at('b', assistant('m1', call('y')), 'c'),
    at('b', result('x'), 'd'),
    at('c', result('y'), 'e'),
    at('d', assistant('m2', text('done')), 'f'),
  ]);
  expect(outline(messages)).toEqual([
    'user look',
    'assistant call x call y',
    'tool result x x done',
    'tool result y y done',
    'assistant done',
  ]);
  expect(leftOut).toEqual({});
});

test('a parent that is not in the file, or that is named by a copy of it, breaks nothing', async () => {
  const [first, answer, last] = [user('hi'), assistant('m1', text('hello')), user('bye')];
  const session = await read([
    { ...first, parentUuid: 'elsewhere' },
    { ...answer, parentUuid: first.uuid },
    { ...first, parentUuid: null },
    { ...answer, parentUuid: null },
    { ...last, parentUuid: 'nowhere' },
  ]);
  expect(outline(session.messages)).toEqual(['user hi', 'assistant hello', 'user bye']);
  expect(session.leftOut).toEqual({ copy: 2 });
});

test.each([
  ['a result without a call', result('nobody'), 'The tool result answers no call'],
  ['another role', record('user', { message: { role: 'wizard', content: 'x' } }), 'no message of its role'],
  ['content of another type', user(7), 'The content is neither text nor a list'],
  ['a block without a type', user([{ text: 'x' }]), 'A non-empty string was expected'],
  ['a record without a type', { message: { role: 'user', content: 'x' } }, 'The record has no type'],
  ['a call without a name', assistant('m', { type: 'tool_use', id: 'z' }), 'A non-empty string was expected'],
])('%s is refused with its line, or skipped', async (_, broken, reason) => {
  const path = sessionFile(jsonLines(user('hi'), broken, assistant('m1', text('hello'))));
  const error = await expectRefused(readSession(path), 'session-record-invalid', `${path}:2`);
  expect(error.message).toContain('lenient');

  const session = await readSession(path, { lenient: true });
  expect(outline(session.messages)).toEqual(['user hi', 'assistant hello']);
  expect(session.skipped).toEqual([{ line: 2, reason: expect.stringContaining(reason) }]);
});
