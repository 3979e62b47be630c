import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { messageText } from '@ctx/core';
import { testWithFiles } from '@ctx/testing';
import { loadSessions, sessionFiles } from '../src/index.js';
import { realFiles } from './real-sessions.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, ...records: readonly (string | object)[]): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n'));
  return path;
}

const said = (content: string) => [
  { role: 'user', content },
  { role: 'assistant', content: 'ok' },
];

describe('the session files', () => {
  const names = (path: string) => sessionFiles(path).map((one) => relative(folder, one));
  beforeAll(() => {
    file('found/b.jsonl', ...said('b'));
    file('found/a.json', ...said('a'));
    file('found/inner/c.jsonl', ...said('c'));
    file('found/made/d.jsonl', ...said('d'));
    file('found/README.md', 'no session');
    mkdirSync(join(folder, 'empty'));
  });

  test('of a folder are those below it, in order, without other files', () => {
    expect(names(join(folder, 'found'))).toEqual(['found/a.json', 'found/b.jsonl', 'found/inner/c.jsonl']);
  });

  test('of scripted models are those of a folder that is named', () =>
    expect(names(join(folder, 'found/made'))).toEqual(['found/made/d.jsonl']));
});

describe('sessions are loaded', () => {
  test('as far as they can be read; the rest are errors', async () => {
    const good = file('mixed/good.jsonl', ...said('hello'));
    const garbage = file('mixed/garbage.jsonl', 'this is no JSON');
    const empty = file('mixed/empty.jsonl', '');
    const other = file('mixed/other.json', { some: 'thing' });
    // A broken line is passed over.
    const last = file('mixed/last.jsonl', ...said('bye').toSpliced(1, 0, '{"role":' as never));
    const nowhere = join(folder, 'nowhere.jsonl');
    const { sessions, errors } = await loadSessions([garbage, good, empty, other, nowhere, last]);
    expect(sessions.map(({ messages }) => messages.map(messageText))).toEqual([
      ['hello', 'ok'],
      ['bye', 'ok'],
    ]);
    expect(
      errors.map(({ place = '', code }) => [relative(folder, place.replace(/:\d+$/, '')), code]),
    ).toEqual([
      ['mixed/garbage.jsonl', 'session-format-unknown'],
      ['mixed/empty.jsonl', 'session-empty'],
      ['mixed/other.json', 'session-format-unknown'],
      ['nowhere.jsonl', 'session-unreadable'],
    ]);
  });

  test('with a result for a call that nobody answered', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } };
    const path = file(
      'open/a.jsonl',
      { role: 'user', content: 'read it' },
      { role: 'assistant', content: null, tool_calls: [call] },
      ...said('stop'),
    );
    const { sessions } = await loadSessions([path]);
    const [{ messages = [] } = {}] = sessions;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user', 'assistant']);
    expect(messages[2]).toMatchObject({ content: [{ toolCallId: 'a', toolName: 'read', isError: true }] });
  });

  test('each of several in one file', async () => {
    const [one, two] = [said('one'), said('two')];
    const path = file('many/all.jsonl', { id: 'x', messages: one }, { id: 'y', messages: two });
    const { sessions } = await loadSessions([path]);
    expect(sessions.map(({ id, source }) => [id, source])).toEqual([
      ['x', 'many'],
      ['y', 'many'],
    ]);
  });
});

describe('the source of a session is', () => {
  const sourceOf = async (path: string) => (await loadSessions([path])).sessions[0]?.source;
  const claude = (fields: object) => ({
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 's1',
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: 'hello' },
    ...fields,
  });

  test('the one in its record', async () => {
    expect(await sourceOf(file('folder/a.jsonl', { source: 'tau', messages: said('one') }))).toBe('tau');
  });

  test('the agent, if the file is in its own format', async () => {
    expect(await sourceOf(file('folder/claude.jsonl', claude({})))).toBe('claude-code');
  });

  test('the name of its folder, if the format is that of an API', async () => {
    expect(await sourceOf(file('my-collection/a.jsonl', ...said('one')))).toBe('my-collection');
    expect(await sourceOf(file('other/a.json', { messages: said('one'), system: 'Be brief.' }))).toBe(
      'other',
    );
  });
});

testWithFiles('the real sessions are of four sources, and can all be read', realFiles, async () => {
  const { sessions, errors } = await loadSessions(realFiles);
  expect(errors).toEqual([]);
  expect(new Set(sessions.map(({ source }) => source))).toEqual(
    new Set(['claude-code', 'pi', 'swe-agent', 'tau']),
  );
  expect(sessions).toHaveLength(41);
});
