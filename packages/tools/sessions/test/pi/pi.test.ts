import { contextAt, type ReadOptions, readSession } from '@ctx/sessions';
import { expectAccepted, expectRefused, jsonLines, outline, sessionFile } from '../session-file.js';

const header = { type: 'session', id: 'p1', cwd: '/work', provider: 'anthropic', modelId: 'claude-x' };
const text = (value: string) => ({ type: 'text', text: value });
const toolCall = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: { path: 'a.ts' } });
const message = (native: object, fields: object = {}) => ({
  type: 'message',
  timestamp: '2026-01-01T00:00:00.000Z',
  message: native,
  ...fields,
});
const user = (value: string, fields?: object) => message({ role: 'user', content: [text(value)] }, fields);
const assistant = (content: object[], native: object = {}, fields?: object) =>
  message({ role: 'assistant', content, ...native }, fields);
const answer = { role: 'toolResult', toolName: 'read', content: [text('ok')], isError: false };
const result = (toolCallId: string, native: object = {}) => message({ ...answer, toolCallId, ...native });

async function read(records: readonly unknown[], options?: ReadOptions) {
  const session = await readSession(sessionFile(jsonLines(header, ...records)), options);
  expectAccepted(session);
  return session;
}

test('thinking without a text is what its signature holds', async () => {
  const thinking = { type: 'thinking', thinking: '', thinkingSignature: 'c2ln' };
  const { messages } = await read([user('look'), assistant([thinking, text('so')])]);
  expect(messages[1]?.content).toEqual([{ type: 'reasoning', text: '', encrypted: 'c2ln' }, text('so')]);
});

test('what was read from the cache or written to it is part of the input, and the response names its model', async () => {
  const usage = { input: 3, output: 5, cacheRead: 100, cacheWrite: 20 };
  const session = await read([
    user('look'),
    { type: 'thinking_level_change', thinkingLevel: 'high' },
    assistant([text('I look')], { provider: 'openai', model: 'gpt-x', usage, stopReason: 'stop' }),
  ]);
  const named = { provider: 'openai', model: 'gpt-x' };
  expect(session).toMatchObject({ id: 'p1', ...named, leftOut: { thinking_level_change: 1 } });
  const cached = { cacheReadTokens: 100, cacheWriteTokens: 20 };
  const tokens = { inputTokens: 123, outputTokens: 5, ...cached };
  expect(session.usage).toEqual([{ index: 1, ...tokens, ...named, aborted: false }]);
  expect(session.messages[0]?.createdAt).toBe(Date.UTC(2026, 0, 1));
});

test('keeps images of users and results', async () => {
  const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
  const session = await read([
    message({ role: 'user', content: [image] }),
    assistant([toolCall('a')]),
    result('a', { content: [text('seen'), image] }),
  ]);
  const part = { type: 'image', image: 'aGk=', mediaType: 'image/png' };
  expect(session.messages[0]?.content).toEqual([part]);
  const output = { type: 'content', value: [text('seen'), part] };
  expect(session.messages[2]?.content).toMatchObject([{ output }]);
});

test('skips empty responses together with their usage, and marks aborted ones', async () => {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
  const session = await read([
    user('go'),
    assistant([], { usage, stopReason: 'aborted' }),
    assistant([text('half a sent')], { usage, stopReason: 'aborted' }),
    assistant([text('')], { usage, stopReason: 'error' }),
  ]);
  expect(outline(session.messages)).toEqual(['user go', 'assistant half a sent']);
  expect(session.usage).toMatchObject([{ index: 1, aborted: true, model: 'claude-x' }]);
  expect(session.skipped).toEqual([
    { line: 3, reason: 'The response has no content (aborted)' },
    { line: 5, reason: 'The message has no content' },
  ]);
});

test('moves a late result up and skips a second one', async () => {
  const late = [user('wait'), result('a'), result('a')];
  const session = await read([user('look'), assistant([toolCall('a')]), ...late]);
  expect(outline(session.messages).slice(1)).toEqual(['assistant call a', 'tool result a ok', 'user wait']);
  expect(session.skipped).toEqual([{ line: 6, reason: 'The call a is answered already' }]);
});

test('reads what the user ran and what extensions say', async () => {
  const session = await read([
    message({ role: 'bashExecution', command: 'ls', output: 'a.ts', exitCode: 1 }),
    message({ role: 'bashExecution', command: 'secret', output: '', excludeFromContext: true }),
    message({ role: 'hookMessage', content: 'from a hook' }),
    { type: 'custom_message', content: 'from an extension' },
    { type: 'custom', data: {} },
  ]);
  const said = ['user $ ls\na.ts\nExit code: 1', 'user from a hook', 'user from an extension'];
  expect(outline(session.messages)).toEqual(said);
  expect(session.leftOut).toEqual({ 'bash-outside-context': 1, custom: 1 });
});

test('follows the branch of the last entry', async () => {
  const session = await read([
    user('one', { id: 'a', parentId: null }),
    user('abandoned', { id: 'b', parentId: 'a' }),
    { type: 'branch_summary', id: 'c', parentId: 'a', summary: 'tried b' },
    user('two', { id: 'd', parentId: 'c' }),
  ]);
  expect(outline(session.messages)).toEqual(['user one', 'user tried b', 'user two']);
  expect(session.messages[1]?.summary).toBe(true);
  expect(session.leftOut).toEqual({ 'other-branch': 1 });
});

test('a broken line does not cut the branch', async () => {
  const lines = jsonLines(
    header,
    user('one', { id: 'a', parentId: null }),
    user('lost', { id: 'b', parentId: 'a' }),
    user('three', { id: 'c', parentId: 'b' }),
  ).replace('lost"', 'lost');
  const session = await readSession(sessionFile(lines), { lenient: true });
  expect(outline(session.messages)).toEqual(['user one', 'user three']);
});

test('a compaction of old names what it kept by position', async () => {
  const session = await read([
    user('one'),
    user('two'),
    user('three'),
    { type: 'compaction', summary: 'one happened', firstKeptEntryIndex: 2 },
    user('four'),
  ]);
  const left = ['user one happened', 'user two', 'user three', 'user four'];
  expect(outline(contextAt(session).messages)).toEqual(left);
});

test.each([
  ['an unknown role', message({ role: 'wizard', content: 'x' }), 'The role of the message is not known'],
  ['no message', { type: 'message' }, 'The role of the message is not known'],
  ['a result without a call', result('z'), 'The tool result answers no call'],
  ['a call without an id', assistant([{ type: 'toolCall', name: 'read' }]), 'does not have the form'],
  ['content of another type', message({ role: 'user', content: 7 }), 'does not have the form'],
])('%s is refused with its line, or skipped', async (_, broken, reason) => {
  const path = sessionFile(jsonLines(header, user('hi'), broken, assistant([text('hello')])));
  await expectRefused(readSession(path), 'session-record-invalid', `${path}:3`);
  const session = await readSession(path, { lenient: true });
  expect(outline(session.messages)).toEqual(['user hi', 'assistant hello']);
  expect(session.skipped).toEqual([{ line: 3, reason: expect.stringContaining(reason) }]);
});
