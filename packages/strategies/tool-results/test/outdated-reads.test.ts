import type { Edit, Message, ToolOutput } from '@ctx/core';
import {
  and,
  assistant,
  call,
  deepFreeze,
  planContextOf,
  result,
  transcript,
  user,
  words,
} from '@ctx/testing';
import { toolResults } from '../src/index.js';
import type { ToolResultsInput } from '../src/options.js';

const placeholder = '[该文件的历史读取内容已压缩,请参看最新读取结果]';

let calls = 0;
/** A call with its result. */
function use(tool: string, input: unknown, output: ToolOutput = words(30), fields = {}): Message[] {
  calls += 1;
  return transcript(call(`r${calls}`, tool, input), result(`r${calls}`, output, fields));
}
const read = (filePath: unknown, output: ToolOutput = words(30, 'code'), fields = {}) =>
  use('filesystem-read', { filePath }, output, fields);

/** What is planned after the model has read all of these messages. */
async function edited(messages: readonly Message[], options: ToolResultsInput = {}) {
  const input = deepFreeze([...messages, assistant('I see.')]);
  const context = await planContextOf(input, { targetTokens: 0 });
  const { edits, notes } = await toolResults({ agent: 'snow', ...options }).plan(context);
  const positions = (edits as Edit<'replace'>[]).map(
    (edit) => context.view.find(({ id }) => id === edit.message)?.index,
  );
  return { positions, texts: (edits as Edit<'replace'>[]).map(({ text }) => text), notes };
}

const times = (count: number, make: (index: number) => Message[]) =>
  Array.from({ length: count }, (_, index) => make(index)).flat();

describe('the newest five successful reads of a file stay', () => {
  const reads = (files: string) => [...files].flatMap((file) => read(file));
  const failed = read('A', `Error: ${words(30)}`);
  test.each<[what: string, messages: Message[], cleared: number[]]>([
    ['of seven the two oldest leave', reads('AAAAAAA'), [1, 3]],
    ['of three none leaves', reads('AAA'), []],
    ['of six and an error the oldest read leaves', [...reads('A'), ...failed, ...reads('AAAAA')], [1]],
    ['of three, seven and two of different files two leave', reads('AABBBBCABBBC'), [5, 7]],
  ])('%s', async (_what, messages, cleared) => {
    const { positions, texts } = await edited(messages);
    expect(positions).toEqual(cleared);
    for (const text of texts) expect(text).toBe(placeholder);
  });

  test('the notes say how many of which file left', async () => {
    const { notes } = await edited(reads('AABBBBCABBBC'));
    expect(notes).toMatchObject({ reads: 2, paths: { B: 2 }, unextracted: 0 });
  });

  test('the number that stays and the placeholder can be chosen, even for a single tool', async () => {
    const messages = times(3, () => read('a.ts'));
    const { texts } = await edited(messages, { reads: { keep: 1, placeholder: '[gone]' } });
    expect(texts).toEqual(['[gone]', '[gone]']);
    const tools = [{ names: ['filesystem-read'], keep: 2, placeholder: '[older]' }];
    expect((await edited(messages, { reads: { tools } })).texts).toEqual(['[older]']);
  });

  test('fewer reads of large files stay, if asked to', async () => {
    const messages = [...times(3, () => read('small.ts')), ...times(3, () => read('large.ts', words(500)))];
    const { positions } = await edited(messages, { reads: { large: { overTokens: 100, keep: 1 } } });
    expect(positions).toEqual([7, 9]);
  });
});

describe('a read is known by its call', () => {
  test('spellings of a path mean the same file, and absolute paths are relative to the root', async () => {
    const spellings = ['src/a.ts', './src/a.ts', '/p/src/a.ts', 'src//a.ts', 'src\\a.ts', 'src/b/../a.ts'];
    const reads = spellings.flatMap((path) => read(path));
    expect((await edited(reads, { root: '/p' })).positions).toEqual([1]);
  });

  test.each([
    ['no path', {}],
    ['an empty path', { filePath: '' }],
    ['a path that is null', { filePath: null }],
    ['arguments that could not be parsed', '{"filePath":'],
  ])('with %s it is left alone, and counted', async (_what, input) => {
    const messages = [...times(7, () => use('filesystem-read', input)), ...times(6, () => read('a.ts'))];
    const { positions, notes } = await edited(messages, { duplicates: false });
    expect(positions).toEqual([15]);
    expect(notes).toMatchObject({ unextracted: 7 });
  });

  test('results of other tools are left alone, whatever they look like', async () => {
    const messages = times(7, () => use('ace-search', { filePath: 'a.ts' }, `📄 a.ts\n1→${words(30)}`));
    expect((await edited(messages, { duplicates: false })).positions).toEqual([]);
  });

  test('a directory counts as a file', async () => {
    expect((await edited(times(6, () => read('src/')))).positions).toEqual([1]);
  });

  test('ranges of a file count together, unless asked to count them separately', async () => {
    const ranges = times(7, (startLine) => use('filesystem-read', { filePath: 'a.ts', startLine }));
    expect((await edited(ranges)).positions).toEqual([1, 3]);
    expect((await edited(ranges, { reads: { rangeAware: true } })).positions).toEqual([]);
  });

  test('an error is known by its start, even after spaces, and by its flag', async () => {
    const errors = [
      ...read('a.ts', `  Error: ${words(30)}`),
      ...read('a.ts', `<tool_use_error>${words(30)}`),
      ...read('a.ts', words(30), { isError: true }),
      ...read('a.ts', { type: 'error-text', value: words(30) }),
    ];
    expect((await edited([...errors, ...times(6, () => read('a.ts'))])).positions).toEqual([9]);
    const ownPrefix = [...read('a.ts', `FAILED ${words(30)}`), ...times(5, () => read('a.ts'))];
    expect((await edited(ownPrefix, { errorPrefixes: ['FAILED'] })).positions).toEqual([]);
  });

  test('the tools of an agent can be chosen', async () => {
    const reads = times(7, () => use('Read', { file_path: '/p/a.ts', limit: 5 }));
    expect((await edited(reads, { agent: 'claude-code' })).texts[0]).toMatch(/^\[An older read of this file/);
    expect((await edited(reads, { agent: 'pi', duplicates: false })).positions).toEqual([]);
    expect((await edited(reads, { agent: undefined })).positions).toEqual([1, 3]);
  });
});

describe('the newest reads are', () => {
  test('those with the latest time, not the last ones in the view', async () => {
    const messages = times(6, (index) => read('a.ts', words(30), { createdAt: 1000 - index }));
    expect((await edited(messages)).positions).toEqual([11]);
  });

  test('the last ones in the view if a time is missing', async () => {
    const messages = [...read('a.ts', words(30), { createdAt: 5 }), ...times(5, () => read('a.ts'))];
    expect((await edited(messages)).positions).toEqual([1]);
  });
});

describe('a read of several files', () => {
  test('counts once for each of them, however often it names it', async () => {
    const messages = times(5, () => read(['a.ts', { path: './a.ts' }, 'a.ts']));
    expect((await edited(messages)).positions).toEqual([]);
  });

  test('is cleared if all of them have newer reads, but not if only one has', async () => {
    const batch = read(['a.ts', 'b.ts']);
    const readsOfA = times(5, () => read('a.ts'));
    expect((await edited([...batch, ...readsOfA])).positions).toEqual([]);
    expect((await edited([...batch, ...readsOfA, ...times(5, () => read('b.ts'))])).positions).toEqual([1]);
  });

  test.each([
    ['<file path="a.ts">', '\n</file>\n', '<file path="b.ts">', '\n</file>'],
    ['<file><path>a.ts</path>', '\n</file>\n', '<file><path>b.ts</path>', '\n</file>'],
    ['📄 a.ts (lines 1-30)', '\n\n', '📄 b.ts (lines 1-9)', ''],
    ['==> a.ts <==', '\n', '==> b.ts <==', ''],
  ])('loses only the outdated section if it consists of sections: %s', async (headA, endA, headB, endB) => {
    const text = `${headA}\n${words(30, 'old')}${endA}${headB}\n${words(30, 'kept')}${endB}`;
    const reads = [...read(['a.ts', 'b.ts'], text), ...times(5, () => read('a.ts'))];
    const { positions, texts } = await edited(reads);
    expect(positions).toEqual([1]);
    expect(texts[0]).toContain(`${headA}\n${placeholder}`);
    expect(texts[0]).toContain(`${headB}\n${words(30, 'kept')}${endB}`);
    expect(texts[0]).not.toContain('old');
  });

  test('is left alone if a line only looks like the start of a section', async () => {
    const text = `<file path="a.ts">\nimport 'b.ts'\n${words(30)}\n</file>`;
    const reads = [...read(['a.ts', 'b.ts'], text), ...times(5, () => read('a.ts'))];
    expect((await edited(reads)).positions).toEqual([]);
  });
});

test('pinned results and results shorter than the placeholder stay', async () => {
  const pinned = read('a.ts').map((message) => ({ ...message, pinned: true }));
  const reads = [...pinned, ...read('a.ts', 'ok'), ...times(5, () => read('a.ts'))];
  expect((await edited(reads)).positions).toEqual([]);
});

test('the rule does nothing if it is switched off', async () => {
  const messages = times(9, () => read('a.ts'));
  expect((await edited(messages, { reads: false, duplicates: false })).positions).toEqual([]);
});

test('a blank placeholder and an unknown option are rejected by name', () => {
  expect(() => toolResults({ reads: { placeholder: ' ' } })).toThrow(/reads.*must not be blank/);
  expect(() => toolResults({ read: {} } as never)).toThrow(/read/);
});

test('parallel reads in one message are cleared separately', async () => {
  const ids = ['1', '2', '3', '4', '5', '6', '7'];
  const calls = and(...ids.map((id) => call(id, 'filesystem-read', { filePath: 'a.ts' })));
  const results = and(...ids.map((id) => result(id, words(30))));
  expect((await edited(transcript(user('go'), calls, results))).positions).toEqual([2, 2]);
});
