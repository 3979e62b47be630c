import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSessions, readSessionText, type Session } from '@ctx/sessions';

const samples = join(__dirname, '../../../../examples/sessions');

async function all(sessions: AsyncIterable<Session>): Promise<Session[]> {
  const read: Session[] = [];
  for await (const session of sessions) read.push(session);
  return read;
}

test.each(['late-check.openai.jsonl', 'did-you-mean.anthropic.jsonl'])(
  'the text of %s holds what the file holds',
  async (name) => {
    const path = join(samples, name);
    expect(await all(readSessionText(readFileSync(path, 'utf8'), name))).toEqual(
      await all(readSessions(path)),
    );
  },
);

test('a document of several lines is read whole', async () => {
  const text = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }, undefined, 2);
  const [session] = await all(readSessionText(`\uFEFF${text}`, 'chat.json'));
  expect(session).toMatchObject({ id: 'chat', messages: [{ role: 'user', content: 'Hello' }] });
});

test('broken lines are left out if reading is lenient, and named otherwise', async () => {
  const text = '{"role":"user","content":"Hello"}\n{"role":"user","cont\n';
  const [session] = await all(readSessionText(text, 'chat.jsonl', { lenient: true }));
  expect(session?.messages).toHaveLength(1);
  expect(session?.skipped).toHaveLength(1);
  await expect(all(readSessionText(text, 'chat.jsonl'))).rejects.toMatchObject({
    code: 'session-record-invalid',
    place: 'chat.jsonl:2',
  });
});

test.each([
  ['', 'session-empty'],
  ['no session', 'session-format-unknown'],
  ['[\n{"a":', 'session-record-invalid'],
  ['{"a":1}', 'session-format-unknown'],
])('%j is refused with %s', async (text, code) => {
  await expect(all(readSessionText(text, 'chat.json'))).rejects.toMatchObject({ code });
});
