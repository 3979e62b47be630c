import { asTheyAre, liveSession, readInRanges, recall, sessionOf, statusOf } from '@ctx/claude-code';
import { SessionFile } from './session-file.js';

const text = (name: string) =>
  Array.from(
    { length: 150 },
    (_, line) => `export const ${name}_${line} = mix(${line * 7}, 'amber ${name} basin');`,
  ).join('\n');
const withoutHandles = (rows: readonly { readonly handle?: string | undefined }[] = []) =>
  rows.map(({ handle: _, ...row }) => row);

/** A turn that reads files, two at a time. */
function read(file: SessionFile, task: string, from: number, to: number): void {
  file.user(task);
  for (let at = from; at < to; at += 2) {
    const [a, b] = [`mod${at}`, `mod${at + 1}`];
    const call = (id: string) => {
      return { type: 'tool_use', id, name: 'Read', input: { file_path: `/w/${id}.js` } };
    };
    file.response(
      { type: 'thinking', thinking: '…', signature: 's' },
      { type: 'text', text: `I read ${a} and ${b}.` },
      call(a),
      call(b),
    );
    // Results come in any order, each under its own call.
    file.result(b, text(b));
    file.result(a, text(a));
  }
  file.response({ type: 'text', text: `Done: ${task}` });
}

/** A file in which the assistant thinks before its call. */
function thoughtful() {
  const file = new SessionFile();
  file.user('Read all.');
  file.response(
    { type: 'thinking', thinking: '…', signature: 's' },
    { type: 'tool_use', id: 'a', name: 'Read', input: {} },
  );
  file.result('a', 'A');
  return file;
}

test('after each compaction, the originals are all that was said, once', async () => {
  const file = new SessionFile();
  read(file, 'Read the first.', 1, 8);
  const first = withoutHandles(sessionOf(file.text)?.originals);
  await file.compact();
  expect(withoutHandles(sessionOf(file.text)?.originals)).toEqual(first);
  read(file, 'Read the others.', 9, 16);
  const second = withoutHandles(sessionOf(file.text)?.originals);
  expect(second.slice(0, first.length)).toEqual(first);
  await file.compact();
  await file.compact();
  expect(withoutHandles(sessionOf(file.text)?.originals)).toEqual(second);
});

test('rows that are sent now are given back as the very rows, so that their thinking stays', async () => {
  const file = thoughtful();
  const sent = (sessionOf(file.text)?.sent ?? []).map((row) => ({
    ...row,
    toolUses: row.toolUses.map((use) => ({ ...use, result: 1 })),
  }));
  const late = { role: 'user', text: 'Not written yet.', toolUses: [], handle: 'late' } as const;
  const live = liveSession(file.text, [...sent, late]);
  expect(live?.originals).toEqual([...sent, late]);
  expect(live?.originals[1]).toBe(sent[1]);
});

test('after a cut within a turn, the thoughts of the turn have the handles of their copies', () => {
  const file = thoughtful();
  file.replaced(asTheyAre(sessionOf(file.text)?.originals ?? []));
  const { sent, originals } = sessionOf(file.text) ?? { sent: [], originals: [] };
  expect(originals.map(({ handle }) => handle)).toEqual(sent.map(({ handle }) => handle));
});

test('what was taken back is none of the originals', () => {
  const file = new SessionFile();
  const asked = file.user('First.');
  file.response({ type: 'text', text: 'Wrong.' });
  file.user('Second.', asked);
  expect(sessionOf(file.text)?.originals.map((row) => row.text)).toEqual(['First.', 'Second.']);
});

test('recall finds what left, by words and by handle, as the excerpt names it', async () => {
  const file = new SessionFile();
  read(file, 'Read the first.', 1, 8);
  await file.compact();
  const rows = sessionOf(file.text)?.originals ?? [];
  const found = recall(rows, 'mod3_77 amber');
  expect(found).toContain("export const mod3_77 = mix(539, 'amber mod3 basin');");
  const [handle = ''] = /#m\d+/.exec(found) ?? [];
  expect(recall(rows, handle)).toContain(text('mod3'));
  expect(recall(rows, 'nowhere to be found')).toContain('Nothing was said');
  expect(recall(rows, '#m999')).toContain('no message');
  expect(recall(rows, ' ')).toContain('Give a handle');
});

test.each([0, 1])('recall never cuts through a character (%d)', (before) => {
  const rows = [{ role: 'user', text: `${'a'.repeat(before)}${'😀'.repeat(12_000)}`, toolUses: [] }] as const;
  const around = [{ ...rows[0], text: `${rows[0].text} amber ${rows[0].text}` }];
  for (const found of [recall(rows, '#m1'), recall(around, 'amber')])
    expect(Buffer.from(found).toString()).toBe(found);
});

test.each([
  [[null]],
  [[{ type: 'text', text: 7 }]],
  [7],
  [[{ type: 'tool_result', content: 7 }]],
  [[{ type: 7 }]],
])('a line that says %j is passed over, and what was said before it is not', (content) => {
  const file = new SessionFile();
  file.user('The task.');
  file.user(content as never);
  file.user('What is next?');
  expect(sessionOf(file.text)?.originals.map(({ text }) => text)).toEqual(['The task.', 'What is next?']);
});

test('a line that is half written ends nothing: what was said before it is there', () => {
  const file = new SessionFile();
  for (const text of ['The task.', 'A remark.', 'More.', 'What is next?']) file.user(text);
  const lines = file.text.split('\n');
  lines[1] = lines[1]?.slice(0, 60) ?? '';
  const said = sessionOf(lines.join('\n'))?.originals.map(({ text }) => text);
  expect(said).toEqual(['The task.', 'More.', 'What is next?']);
});

test('the status says what was compacted', async () => {
  const file = new SessionFile();
  read(file, 'Read the first.', 1, 8);
  const session = () => sessionOf(file.text) as NonNullable<ReturnType<typeof sessionOf>>;
  expect(statusOf(session())).toContain('Nothing was compacted');
  await file.compact();
  expect(statusOf(session())).toContain('1. auto: 900 → 300 tokens, 0.0 s');
});

test('a file that does not know the conversation, or has no lines, is not used', () => {
  const file = new SessionFile();
  file.user('Hello.');
  expect(
    liveSession(file.text, [{ role: 'user', text: 'Other.', toolUses: [], handle: 'other' }]),
  ).toBeUndefined();
  expect(sessionOf('')).toBeUndefined();
  expect(sessionOf('{"parentUuid":null, half a line')).toBeUndefined();
});

test('a file is read in ranges, none of which cuts through a character', async () => {
  const whole = `${'a'.repeat(3_999_999)}${'é'.repeat(3)}${'z'.repeat(9)}`;
  const bytes = Buffer.from(whole);
  const read = ({ offset, length }: { offset: number; length: number }) =>
    Promise.resolve(bytes.subarray(offset, offset + length).toString());
  expect(await readInRanges(bytes.length, read)).toBe(whole);
});
