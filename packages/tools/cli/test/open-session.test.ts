import { appendFileSync, cpSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes } from '@ctx/cli';
import { ctx, didYouMean, temporaryFolder } from './run-ctx.js';

const line = (type: string, content: string) =>
  `${JSON.stringify({ type, sessionId: 's', uuid: content, message: { role: type, content } })}\n`;
const claude = line('user', 'hello') + line('assistant', 'hi');

/** Writes a file that was changed at a time, in minutes. */
function put(file: string, text: string, minutes: number): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, minutes * 60, minutes * 60);
}

/** The folders of agents as they have them, oldest first; the newest session is OpenAI's Codex'. */
function homeOfAgents(): string {
  const home = temporaryFolder();
  put(join(home, '.claude/projects/-repo/old.jsonl'), claude, 10);
  put(join(home, '.claude/projects/-repo/agent-1.jsonl'), claude, 99);
  put(join(home, '.claude/projects/-repo/notes.txt'), 'no session', 99);
  put(join(home, '.pi/agent/sessions/--repo--/s.jsonl'), '{"type":"session","id":"p"}\n', 20);
  put(join(home, '.gemini/tmp/repo/chats/session-1.jsonl'), '{}\n', 15);
  put(join(home, '.gemini/tmp/repo/logs.json'), '{}\n', 99);
  put(join(home, '.copilot/session-state/1/events.jsonl'), '{}\n', 12);
  put(
    join(home, '.codex/sessions/2026/01/02/rollout-1.jsonl'),
    `${JSON.stringify({ type: 'session_meta', payload: { id: 'c' } })}\n${JSON.stringify({
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    })}\n`,
    30,
  );
  return home;
}

test('without a path the newest session on the machine is taken, and it says which', async () => {
  const { status, stdout, stderr } = await ctx(['context', '--json', '--quick'], {
    home: homeOfAgents(),
    now: () => 33 * 60_000,
  });
  expect(status).toBe(exitCodes.done);
  expect(stderr).toMatch(/^The newest session: Codex, 3 minutes ago, .*rollout-1\.jsonl\n$/);
  expect(JSON.parse(stdout)).toMatchObject({ format: 'codex', said: 1 });
});

test('agents that were moved are found by their own variables', async () => {
  const home = homeOfAgents();
  const elsewhere = temporaryFolder();
  put(join(elsewhere, 'projects/-x/here.jsonl'), claude, 50);
  const { stderr } = await ctx(['context', '--quick'], { home, env: { CLAUDE_CONFIG_DIR: elsewhere } });
  expect(stderr).toContain('here.jsonl');
});

test('of a folder the newest session is taken, also if there is other JSON', async () => {
  const folder = temporaryFolder();
  put(join(folder, 'sessions/one.jsonl'), claude, 1);
  put(join(folder, 'sessions/old.jsonl'), claude, 0.5);
  for (let other = 0; other < 30; other += 1)
    put(join(folder, `package-${other}.json`), '{"name":"x"}', 5 + other);
  const { stderr, stdout } = await ctx(['context', folder, '--json', '--quick']);
  expect(stderr).toMatch(/^The newest session below .*one\.jsonl\n$/);
  expect(JSON.parse(stdout)).toMatchObject({ said: 2 });
  const none = temporaryFolder();
  for (const name of ['package.json', 'tsconfig.json']) put(join(none, name), '{}', 5);
  for (const args of [
    ['context', none],
    ['compress', none],
  ])
    expect(await ctx(args)).toMatchObject({
      status: exitCodes.input,
      stderr: expect.stringContaining('session-missing: There is no session below'),
    });
});

test('a newest session without a message is passed over, on the machine and in a folder', async () => {
  const home = homeOfAgents();
  const begun = '{"type":"session_meta","payload":{"id":"d"}}\n';
  put(join(home, '.codex/sessions/2026/01/02/rollout-2.jsonl'), begun, 40);
  put(join(home, '.claude/projects/-repo/begun.jsonl'), '{"type":"file-history-snapshot"}\n', 41);
  for (const args of [[], [join(home, '.codex')]]) {
    const { status, stdout, stderr } = await ctx(['context', ...args, '--json', '--quick'], { home });
    expect(status).toBe(exitCodes.done);
    expect(stderr).toMatch(/^The newest session.*rollout-1\.jsonl\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ format: 'codex', said: 1 });
  }
});

test.each<[string, (folder: string) => string, string]>([
  ['no agent has a session', () => '', 'session-missing'],
  ['there is no such file', (folder) => join(folder, 'nowhere.jsonl'), 'session-unreadable'],
  ['a folder has none', (folder) => folder, 'session-missing'],
])('if %s, it is said in one line', async (_what, pathIn, code) => {
  const folder = temporaryFolder();
  const path = pathIn(folder);
  const { status, stderr } = await ctx(['context', ...(path === '' ? [] : [path])], { home: folder });
  expect(status).toBe(exitCodes.input);
  expect(stderr).toMatch(new RegExp(`^ctx: ${code}: [^\\n]+\\n$`));
});

test.each([
  ['garbage', '\u0000\u0001 this is \u001b[31m no session'],
  ['an unknown form', '{"speaker":"ada","content":"hi"}\n'],
  ['nothing', ''],
  ['half a document', '{\n  "messages": [\n    {"role": "user"'],
])('a file of %s is refused in one line without its control characters', async (_what, text) => {
  const file = join(temporaryFolder(), 'session.jsonl');
  writeFileSync(file, text);
  const { status, stderr } = await ctx(['context', file]);
  expect(status).toBe(exitCodes.input);
  expect(stderr).toMatch(/^ctx: session-[a-z-]+: [^\n\p{C}]+\n$/u);
});

test('a broken record is left out and counted, or refused with --strict', async () => {
  const file = join(temporaryFolder(), 'session.jsonl');
  cpSync(didYouMean, file);
  appendFileSync(file, '\n{"role":"assistant","content":');
  const lenient = await ctx(['context', file, '--quick']);
  expect(lenient.status).toBe(exitCodes.done);
  expect(lenient.stdout).toContain('1 record of the file could not be read.');
  const strict = await ctx(['context', file, '--quick', '--strict']);
  expect(strict.status).toBe(exitCodes.input);
  expect(strict.stderr).toContain('session-record-invalid');
});

test('of a file with several conversations one is chosen, by number or id', async () => {
  const file = join(temporaryFolder(), 'chats.jsonl');
  const chat = (id: string, content: string) => JSON.stringify({ id, messages: [{ role: 'user', content }] });
  writeFileSync(file, `${chat('one', 'hello')}\n${chat('two', 'good morning')}\n`);
  const unclear = await ctx(['context', file]);
  expect(unclear.status).toBe(exitCodes.usage);
  expect(unclear.stderr).toContain('1 (one), 2 (two)');
  for (const conversation of ['2', 'two']) {
    const { stdout } = await ctx(['context', file, '--conversation', conversation, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'two' });
  }
  expect((await ctx(['context', file, '--conversation', '3'])).status).toBe(exitCodes.usage);
});
