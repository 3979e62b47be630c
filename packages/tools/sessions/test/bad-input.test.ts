import { readSession } from '@ctx/sessions';
import { expectAccepted, expectRefused, jsonLines, outline, sessionFile } from './session-file.js';

const user = (content: string) => ({ role: 'user', content });

test.each([
  ['an empty file', ''],
  ['blank lines', '\n \r\n\n'],
  ['a byte order mark alone', '\uFEFF'],
])('%s', async (_, content) => {
  const path = sessionFile(content);
  await expectRefused(readSession(path), 'session-empty', path);
  await expectRefused(readSession(path, { lenient: true }), 'session-empty', path);
});

test.each([
  ['text', 'Dear diary,\ntoday', ':1'],
  ['bytes', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]), ':1'],
  ['UTF-16', Buffer.from('\uFEFF{"role":"user"}', 'utf16le'), ':1'],
])('%s', async (_, content, line) => {
  const path = sessionFile(content);
  await expectRefused(readSession(path), 'session-format-unknown', `${path}${line}`);
  await expectRefused(readSession(path, { lenient: true }), 'session-format-unknown', path);
});

test('conversations without a readable message, lenient or not', async () => {
  const path = sessionFile(jsonLines({ messages: [{ text: 'hi' }] }, { messages: [{ type: 'user' }] }));
  await expectRefused(readSession(path), 'session-record-invalid', `${path}:1 messages[0]`);
  const error = await expectRefused(readSession(path, { lenient: true }), 'session-empty', `${path}:1`);
  expect(error.message).toContain('messages[0]');
});

test('a first line that is broken', async () => {
  const path = sessionFile(`ntent":"cut"}\n${jsonLines(user('two'))}`);
  await expectRefused(readSession(path), 'session-format-unknown', `${path}:1`);
  const session = await readSession(path, { lenient: true });
  expect(outline(session.messages)).toEqual(['user two']);
  expect(session.skipped).toMatchObject([{ line: 1 }]);
});

test('a line that is JSON but no record', async () => {
  const path = sessionFile(`${jsonLines(user('one'))}42\nnull\n`);
  await expectRefused(readSession(path), 'session-record-invalid', `${path}:2`);
  const session = await readSession(path, { lenient: true });
  expect(session.skipped).toEqual([
    { line: 2, reason: 'The line is not an object or a list' },
    { line: 3, reason: 'The line is not an object or a list' },
  ]);
});

test('only lines that begin an object or a list are parsed: a million errors would take long', async () => {
  const path = sessionFile(`${jsonLines(user('one'))}# a\n42\n{"cut\n`);
  const parse = jest.spyOn(JSON, 'parse');
  const { skipped } = await readSession(path, { lenient: true });
  const parsed = parse.mock.calls.map(([text]) => text);
  parse.mockRestore();
  expect(skipped.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect(parsed).toEqual([JSON.stringify(user('one')), '{"cut']);
});

test.each([
  ['with a comma too much', '[\n  {"role": "user",\n   "content": "one",},\n  {}\n]\n'],
  ['with a word too much', `[\n  {"role": "user",\n   "content": oops ${'x'.repeat(40)} }\n]\n`],
])('a JSON document, %s', async (_, content) => {
  const path = sessionFile(content);
  const error = await readSession(path).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'session-record-invalid' });
  expect(String(error)).toMatch(/session\.jsonl:[2-9]/);
  await expect(readSession(path, { lenient: true })).rejects.toMatchObject({
    code: 'session-record-invalid',
  });
});

test('U+2028 does not end a line', async () => {
  const session = await readSession(sessionFile(jsonLines(user('one\u2028two'))));
  expect(outline(session.messages)).toEqual(['user one\u2028two']);
});

test('lone surrogates', async () => {
  const session = await readSession(sessionFile('{"role":"user","content":"half \\ud83d of it"}'));
  expectAccepted(session);
  expect(session.messages[0]?.content).toBe('half \ud83d of it');
});

test('__proto__ keys change nothing', async () => {
  const record =
    '{"__proto__":{"role":"assistant"},"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}';
  const other = '{"type":"__proto__","sessionId":"s"}';
  const session = await readSession(sessionFile(`${record}\n${other}\n`));
  expect(outline(session.messages)).toEqual(['user hi']);
  expect(Object.keys(session.leftOut)).toEqual(['__proto__']);
  expect(({} as { role?: string }).role).toBeUndefined();
});

test('more tokens read from a cache than there were: no less can have been read', async () => {
  const head = { sessionId: 's1', projectHash: 'h', startTime: '2026-01-01T00:00:00.000Z', kind: 'main' };
  const tokens = { input: 5, output: 2, cached: 7, thoughts: 0, tool: 0 };
  const path = sessionFile(
    jsonLines(
      head,
      { id: '1', type: 'user', content: [{ text: 'hi' }] },
      { id: '2', type: 'gemini', content: 'Hello', tokens },
    ),
  );
  const { usage } = await readSession(path, { format: 'gemini' });
  expect(usage).toMatchObject([{ inputTokens: 7, cacheReadTokens: 7 }]);
});

test('an error does not hold a line of 20 MB', async () => {
  const path = sessionFile(`${jsonLines(user('one'))}{"role":"user","content":"${'x'.repeat(20_000_000)}`);
  const error = await expectRefused(readSession(path), 'session-record-invalid', `${path}:2`);
  expect(String(error.value)).toHaveLength(200);
});

test.each([[undefined], [null], [7], [{}]])('a path of %p is no file', async (path) => {
  await expect(readSession(path as never)).rejects.toMatchObject({ code: 'session-unreadable' });
});
