import { anthropicCodec } from '@ctx/codec-anthropic';
import { openaiCodec } from '@ctx/codec-openai';
import { readSession, readSessions } from '@ctx/sessions';
import { all, expectAccepted, expectRefused, jsonLines, outline, sessionFile } from '../session-file.js';

const openai = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'a.ts' },
];
const anthropic = [
  { role: 'user', content: 'look' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'a', content: 'a.ts' },
      { type: 'text', text: 'go on' },
    ],
  },
];
const openaiOutline = ['system be brief', 'user look', 'assistant call a', 'tool result a a.ts'];
const anthropicOutline = ['user look', 'assistant call a', 'tool result a a.ts', 'user go on'];

const whole: readonly [string, string, unknown, readonly string[], readonly unknown[]][] = [
  ['openai', 'a list of messages', openai, openaiOutline, openai],
  ['openai', 'a request', { model: 'gpt-x', messages: openai }, openaiOutline, openai],
  [
    'openai',
    'a system prompt of its own',
    { system: 'be brief', messages: openai.slice(1) },
    openaiOutline,
    openai,
  ],
  ['anthropic', 'a list of messages', anthropic, anthropicOutline, anthropic],
  [
    'anthropic',
    'a request',
    { model: 'claude-x', system: 'be brief', messages: anthropic },
    ['system be brief', ...anthropicOutline],
    anthropic,
  ],
];

describe.each(whole)('%s: %s', (format, _title, value, expected, native) => {
  test.each<[string, string]>([
    ['on one line', JSON.stringify(value)],
    ['printed over many lines', JSON.stringify(value, null, 2)],
    ...(Array.isArray(value) ? [['one message a line', jsonLines(...value)] as [string, string]] : []),
  ])('%s', async (_form, content) => {
    const session = await readSession(sessionFile(content, 'chat.json'));
    expectAccepted(session);
    expect(session).toMatchObject({ id: 'chat', format });
    expect(outline(session.messages)).toEqual(expected);
    const back =
      format === 'openai'
        ? openaiCodec.fromMessages(session.messages)
        : anthropicCodec.fromMessages(session.messages).messages;
    expect(back).toEqual(native);
  });
});

test.each([
  ['a line each', (values: unknown[]) => jsonLines(...values)],
  ['a list', (values: unknown[]) => JSON.stringify(values, null, 2)],
])('many conversations, %s', async (_, write) => {
  const path = sessionFile(write([{ id: 'one', messages: openai }, { messages: openai }]));
  const sessions = await all(readSessions(path));
  sessions.forEach(expectAccepted);
  expect(sessions.map(({ id, messages }) => [id, messages.length])).toEqual([
    ['one', 4],
    ['session:2', 4],
  ]);
  await expectRefused(readSession(path), 'session-record-invalid', path);
});

test('a system prompt next to the messages does not hide one among them', async () => {
  const session = await readSession(sessionFile(JSON.stringify({ system: 'be kind', messages: openai })));
  expect(outline(session.messages).slice(0, 2)).toEqual(['system be kind', 'system be brief']);
});

test('a broken message of a conversation is named by its position', async () => {
  const broken = [...openai, { role: 'wizard', content: 'x' }];
  const path = sessionFile(jsonLines({ id: 'one', messages: openai }, { id: 'two', messages: broken }));
  await expectRefused(all(readSessions(path)), 'session-record-invalid', `${path}:2 messages[4]`);

  const [one, two] = await all(readSessions(path, { lenient: true }));
  expect(one?.skipped).toEqual([]);
  expect(two?.messages).toHaveLength(4);
  expect(two?.skipped).toEqual([{ line: 2, reason: 'messages[4]: The role is not known' }]);
});

test('lines that cannot be read are listed with a conversation, the last one too', async () => {
  const path = sessionFile(`${jsonLines({ id: 'one', messages: openai })}{"id": "two", "mess`);
  await expectRefused(all(readSessions(path)), 'session-record-invalid', `${path}:2`);
  const [session, ...others] = await all(readSessions(path, { lenient: true }));
  expect(others).toEqual([]);
  expect(session?.skipped).toEqual([{ line: 2, reason: 'The line is not complete JSON' }]);
});

test('a record that is neither a message nor a conversation is refused', async () => {
  const path = sessionFile(jsonLines({ messages: openai }, { score: 1 }, { messages: [] }));
  await expectRefused(all(readSessions(path)), 'session-record-invalid', `${path}:2`);
  const [session] = await all(readSessions(path, { lenient: true }));
  expect(session?.skipped.map(({ line }) => line)).toEqual([2, 3]);
});
