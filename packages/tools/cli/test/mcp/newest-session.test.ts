import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRecallSource } from '../../src/mcp/recall-source.js';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-newest-'));
});
afterEach(() => rmSync(home, { recursive: true }));

/** Writes a session of Claude Code, changed at a time in minutes. */
function begin(
  name: string,
  { folder, text, minute }: { folder: string; text?: string; minute: number },
): void {
  const file = join(home, '.claude/projects', name, 'session.jsonl');
  const record =
    text === undefined ? { type: 'summary' } : { message: { role: 'user', content: text }, type: 'user' };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ sessionId: name, uuid: name, cwd: folder, ...record })}\n`);
  utimesSync(file, minute * 60, minute * 60);
}

const newest = () => openRecallSource(undefined, 'conversation', { folder: '/home/me/mine', home, env: {} });
const texts = (found: readonly { readonly text: string }[]) => found.map(({ text }) => text);

test('without a name each question is about the session of this folder that is the newest then', async () => {
  const { source } = await newest();
  begin('a', { folder: '/home/me/mine', text: 'the port is 1', minute: 1 });
  begin('other', { folder: '/home/me/other', text: 'the port is 99', minute: 50 });
  expect(texts(await source.find('port'))).toEqual(['the port is 1']);
  begin('b', { folder: '/home/me/mine', text: 'the port is 2', minute: 2 });
  expect(texts(await source.find('port'))).toEqual(['the port is 2']);
  expect(texts(await source.read('#m1'))).toEqual(['the port is 2']);
});

test.each(['only begun', 'still empty'])('a session that is %s is passed over', async (state) => {
  begin('a', { folder: '/home/me/mine', text: 'the port is 1', minute: 1 });
  begin('b', { folder: '/home/me/mine', minute: 2 });
  const file = join(home, '.claude/projects/b/session.jsonl');
  if (state === 'still empty') writeFileSync(file, '');
  utimesSync(file, 120, 120);
  expect(texts(await (await newest()).source.find('port'))).toEqual(['the port is 1']);
});

test('where no agent noted this folder, it is the newest of all', async () => {
  begin('a', { folder: '/home/me/one', text: 'the port is 1', minute: 1 });
  begin('b', { folder: '/home/me/two', text: 'the port is 2', minute: 2 });
  expect(texts(await (await newest()).source.find('port'))).toEqual(['the port is 2']);
});

test('without any session it says so when it is asked, not before', async () => {
  const { source } = await newest();
  await expect(source.find('port')).rejects.toMatchObject({ code: 'session-missing' });
});
