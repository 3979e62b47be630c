import { readSession, sessionFormats } from '@ctx/sessions';
import { detectFormat } from '../../src/files/detect.js';
import { expectRefused, jsonLines, sessionFile } from '../session-file.js';

const text = { type: 'text', text: 'x' };
test.each([
  ['claude-code', { type: 'user', sessionId: 's', message: { role: 'user', content: 'x' } }],
  ['claude-code', { type: 'file-history-snapshot', messageId: 'x' }],
  ['claude-code', { type: 'summary', summary: 'x', leafUuid: 'y' }],
  ['pi', { type: 'session', id: 'x', cwd: '/' }],
  ['pi', { type: 'message', message: { role: 'user', content: [] } }],
  ['openai', { role: 'user', content: 'only text' }],
  ['openai', { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }],
  ['openai', { messages: [{ role: 'tool', tool_call_id: 'a', content: '' }] }],
  ['openai', { tools: [{ type: 'function', function: { name: 'x' } }], messages: [] }],
  ['anthropic', { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }],
  ['anthropic', { type: 'message', role: 'assistant', content: [{ type: 'thinking', thinking: 'x' }] }],
  ['anthropic', { role: 'user', content: [{ ...text, cache_control: { type: 'ephemeral' } }] }],
  ['anthropic', { system: [{ type: 'text', text: 'x' }], messages: [] }],
  ['anthropic', { tools: [{ name: 'x', input_schema: {} }], messages: [] }],
  [
    'anthropic',
    [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [{ type: 'tool_use' }] },
    ],
  ],
  [undefined, { hello: 'world' }],
  [undefined, 'text'],
  [undefined, { type: 'event', name: 'x' }],
])('%s: %j', (format, record) => {
  expect(detectFormat([record])).toBe(format);
});

test('a later record decides if the first ones are only text', () => {
  const said = { role: 'user', content: 'hi' };
  const calling = { role: 'assistant', content: [{ type: 'tool_use', id: 'a' }] };
  expect(detectFormat([said, calling])).toBe('anthropic');
  expect(detectFormat([said, said])).toBe('openai');
  expect(detectFormat([])).toBeUndefined();
});

test('conversations of an API may have times, without being those of an agent', async () => {
  const said = { role: 'user', content: 'hi', ts: 1 };
  expect(detectFormat([{ id: 'a', messages: [said] }])).toBe('openai');
  expect(detectFormat([[said]])).toBe('openai');
});

test('a second document in the file of an agent is refused', async () => {
  const parts = [{ type: 'text', text: 'hi' }];
  const document = { info: { id: 's' }, messages: [{ info: { role: 'user' }, parts }] };
  const path = sessionFile(jsonLines(document, document));
  const error = await expectRefused(readSession(path), 'session-record-invalid', `${path}:2`);
  expect(error.message).toContain('Give each session a file of its own');
  expect((await readSession(path, { lenient: true })).messages).toHaveLength(1);
});

test('a given format is not detected', async () => {
  const path = sessionFile('{"role":"user","content":"hi"}');
  expect((await readSession(path, { format: 'anthropic' })).format).toBe('anthropic');
});

test('an unknown format is an error that lists the known ones', async () => {
  const path = sessionFile('{"hello":"world"}');
  const error = await expectRefused(readSession(path), 'session-format-unknown', path);
  expect(error.message).toContain(sessionFormats.join(', '));
  expect(error.message).toContain('codex: lines { type: session_meta, response_item, …, payload }');
  const named = readSession(path, { format: 'toString' as 'pi' });
  expect((await expectRefused(named, 'session-format-unknown', path)).value).toBe('toString');
});
