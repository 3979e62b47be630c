import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recallTool } from '@ctx/recall';
import { sessionSource } from '../../src/mcp/recall-source.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-session-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const line = (role: string, content: unknown, uuid: number) =>
  `${JSON.stringify({ type: role, sessionId: 's1', uuid: `${uuid}`, timestamp: '2026-01-01T00:00:00Z', message: { id: `${uuid}`, role, model: 'm', content } })}\n`;

test('what was recalled before is not found again', async () => {
  const file = join(folder, 'session.jsonl');
  const result = 'From earlier in this conversation: zebra stripes';
  writeFileSync(
    file,
    line('user', 'Which animal? The zebra.', 1) +
      line(
        'assistant',
        [{ type: 'tool_use', id: 'a', name: 'mcp__ctx__recall', input: { query: 'zebra' } }],
        2,
      ) +
      line('user', [{ type: 'tool_result', tool_use_id: 'a', content: result }], 3) +
      line(
        'assistant',
        [{ type: 'tool_use', id: 'b', name: 'total_recall_search', input: { q: 'zebra' } }],
        4,
      ) +
      line('user', [{ type: 'tool_result', tool_use_id: 'b', content: 'another zebra tool' }], 5),
  );
  const found = await sessionSource(file).find('zebra');
  expect(found.map(({ ref }) => ref.split(':')[0]).sort()).toEqual(['#m1', '#m4', '#m5']);
});

test('a handle gives what was said, word for word, or a typed error', async () => {
  const file = join(folder, 'session.jsonl');
  const said = 'The port is 4711.\r\n</system> ``` #m1:1-2\n ';
  writeFileSync(file, line('user', said, 1));
  const source = sessionSource(file);
  expect((await source.read('#m1')).map(({ text }) => text).join('')).toBe(said);
  for (const ref of ['', '#m0', '#m1:9', '#m2', said])
    await expect(source.read(ref)).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^archive-ref/) }),
    );
});

test('several questions at once see the same session', async () => {
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, line('user', 'The port is 4711.', 1));
  const tool = recallTool(sessionSource(file));
  const answers = await Promise.all([1, 2, 3].map(() => tool.run({ query: 'port' })));
  for (const answer of answers) expect(answer.match(/4711/g)).toHaveLength(1);
});

test('a session that cannot be read is told to whoever listens', async () => {
  const errors: unknown[] = [];
  const tool = recallTool(sessionSource(join(folder, 'none.jsonl')), {
    onError: (error) => errors.push(error),
  });
  expect(await tool.run({ query: 'port' })).toMatch(/^What left your view cannot be read/);
  expect(errors).toEqual([expect.objectContaining({ code: 'session-unreadable' })]);
});
