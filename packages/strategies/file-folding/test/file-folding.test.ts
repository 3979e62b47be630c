import { createContainer, type Folder, folderToken, type Message, type ToolOutput } from '@ctx/core';
import {
  and,
  assistant,
  call,
  deepFreeze,
  managerOf,
  planContextOf,
  result,
  testStrategy,
  transcript,
  words,
} from '@ctx/testing';
import { fileFolding } from '../src/file-folding.js';
import { createFolder, register } from '../src/index.js';

testStrategy('file-folding', () => fileFolding({ keepNewest: 0, minTokens: 0 }));

const source = (name: string) =>
  `export class ${name} {\n  run(): void {\n${'    this.step(1, 2, 3);\n'.repeat(90)}  }\n}\nexport function make${name}() {}\n`;
const numbered = (text: string, separator = '→') =>
  text
    .split('\n')
    .map((line, index) => `${String(index + 1).padStart(6)}${separator}${line}`)
    .join('\n');

let reads = 0;
function read(path: string, output: ToolOutput, fields = {}): Message[] {
  reads += 1;
  return transcript(call(`r${reads}`, 'read', { path }), result(`r${reads}`, output, fields));
}

/** What the model says once it has read the results before. */
const answer = assistant('I see.');

type Options = Parameters<typeof fileFolding>[0];
function managerFor(messages: readonly Message[], options: Options = {}, folder?: Folder) {
  const container = createContainer();
  if (folder !== undefined) container.register(folderToken, { useValue: folder });
  register(container);
  return managerOf(deepFreeze(messages), { container, config: { options: { 'file-folding': options } } });
}
const outputs = (messages: readonly Message[]) =>
  messages.flatMap(({ role, content }) =>
    role === 'tool' ? content.map(({ output }) => output as string) : [],
  );

describe('old file reads', () => {
  const ten = Array.from({ length: 10 }, (_, index) => read(`${index}.ts`, source(`C${index}`))).flat();
  const planned = async (messages: readonly Message[]) =>
    (await fileFolding({ keepNewest: 0 }).plan(await planContextOf(messages, { targetTokens: 0 }))).edits;

  test('are folded to the names of what they define, but the newest two are not', async () => {
    const messages = ['A', 'B', 'C', 'D'].flatMap((name) => read(`src/${name}.ts`, source(name)));
    const manager = managerFor(messages);
    const { record } = await manager.compress({ strategy: 'file-folding', targetTokens: 0 });
    const [a, b, c, d] = outputs(manager.view());
    expect(a).toBe(
      '[Folded from 96 lines to the names of what is defined in them; read the file again for its text.]\n' +
        '<system-reminder>\n## File Context: src/A.ts\nclass A\nfunction run, makeA\n</system-reminder>',
    );
    expect(b).toContain('class B');
    expect([c, d]).toEqual([source('C'), source('D')]);
    expect(record?.edits.map(({ type }) => type)).toEqual(['replace', 'replace']);
    await manager.compress({ strategy: 'file-folding', targetTokens: 0 });
    expect(manager.history).toHaveLength(1);
  });

  test('are folded from the oldest on, and only as many as needed', async () => {
    const manager = managerFor(ten);
    const before = manager.stats().currentTokens;
    await manager.compress({ strategy: 'file-folding', targetTokens: before - 250 });
    const folded = outputs(manager.view()).map((output) => output.startsWith('[Folded'));
    expect(folded).toEqual([true, true, ...folded.slice(2).map(() => false)]);
  });

  test('are folded further if the first ones were not enough', async () => {
    const manager = managerFor(ten, {}, { fold: async () => words(230) });
    const before = manager.stats().currentTokens;
    await manager.compress({ strategy: 'file-folding', targetTokens: before - 250 });
    expect(outputs(manager.view()).filter((output) => output === words(230)).length).toBeGreaterThan(3);
  });

  test('are left alone if they are small, failed, pinned, or in an unknown language', async () => {
    const messages = [
      ...read('small.ts', 'export class Small {}'),
      ...read('a.ts', source('A'), { isError: true }),
      ...read('b.ts', source('B'), { pinned: true }),
      ...read('data.json', JSON.stringify({ text: words(500) })),
      ...transcript(call('s', 'grep', { path: 'c.ts' }), result('s', source('C'))),
      answer,
    ];
    expect(await planned(messages)).toEqual([]);
  });

  const text = { type: 'text' as const, text: source('A') };
  test.each<[string, ToolOutput]>([
    ['a structure', { type: 'json', value: { content: source('A') } }],
    ['text with an image', { type: 'content', value: [text, { type: 'image', image: 'aGk=' }] }],
  ])('are left alone where the output is %s, which would be lost', async (_kind, output) => {
    expect(await planned([...read('a.ts', output), answer])).toEqual([]);
  });

  test('are left alone until the model has read them', async () => {
    const messages = [...read('a.ts', source('A')), ...read('b.ts', source('B'))];
    expect(await planned(messages)).toMatchObject([{ paths: ['a.ts'] }]);
    expect(await planned([...messages, answer])).toMatchObject([{ paths: ['a.ts'] }, { paths: ['b.ts'] }]);
  });

  test('are folded if the output is a list of texts', async () => {
    const output: ToolOutput = { type: 'content', value: [text] };
    expect(await planned([...read('a.ts', output), answer])).toHaveLength(1);
  });

  test('stay as they are if the folded text is larger, or if they define nothing', async () => {
    const messages = [...read('a.ts', source('A')), ...read('b.ts', `// ${words(400)}`), answer];
    const larger = managerFor(messages, { keepNewest: 0 }, { fold: async () => words(5000) });
    await larger.compress({ strategy: 'file-folding', targetTokens: 0 });
    expect(larger.view()).toEqual(messages);

    const real = managerFor(messages, { keepNewest: 0 });
    const failures: unknown[] = [];
    real.on('compression-fail', ({ error }) => failures.push(error));
    await real.compress({ strategy: 'file-folding', targetTokens: 0 });
    expect(outputs(real.view())[1]).toBe(`// ${words(400)}`);
    expect(failures).toMatchObject([{ code: 'nothing-to-fold', place: 'b.ts' }]);
  });
});

describe('the folder reads', () => {
  const { fold } = createFolder();
  const signal = new AbortController().signal;
  const names = async (text: string, ...paths: string[]) =>
    (await fold({ text, paths, signal })).split('\n').slice(1).join('\n');
  const block = '<system-reminder>\n## File Context: a.ts\nclass A\nfunction run, makeA\n</system-reminder>';

  test.each([
    ['plain text', source('A')],
    ['numbers and an arrow', numbered(source('A'))],
    ['numbers and a bar', numbered(source('A'), ' | ')],
    ['numbers and a tab', numbered(source('A'), '\t')],
    ['numbers and a colon', numbered(source('A'), ': ')],
    ['numbers and a plain arrow', numbered(source('A'), '->')],
    ['L, numbers and a colon', numbered(source('A'), ': ').replace(/^ */gm, 'L')],
    ['a header, numbers and an arrow', `📄 a.ts (lines 1-97/97)\n${numbered(source('A'))}`],
    ['numbers and line ends of Windows', numbered(source('A')).replaceAll('\n', '\r\n')],
    [
      'numbers and a note',
      `${numbered(source('A'))}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n`,
    ],
    [
      'elements around it',
      `<file><path>a.ts</path>\n<content lines="1-97">\n${numbered(source('A'), ' | ')}\n</content>\n</file>`,
    ],
    ['a part of a file', numbered(source('A')).split('\n').slice(0, 40).join('\n')],
  ])('%s', async (_form, text) => {
    expect(await names(text, 'a.ts')).toContain('class A\nfunction run');
    if (!_form.startsWith('a part')) expect(await names(text, 'a.ts')).toBe(block);
  });

  test('several files in one result, and gives each its own block', async () => {
    const text = `<file path="a.ts">\n${numbered(source('A'))}\n</file>\n<file path="b.py">\ndef run():\n    pass\n</file>`;
    const folded = await names(text, 'a.ts', 'b.py');
    const other = '<system-reminder>\n## File Context: b.py\nfunction run\n</system-reminder>';
    expect(folded).toBe(`${block}\n\n${other}`);
  });

  test('none of several files if one can not be folded, because its text would be lost', async () => {
    const text = `<file path="a.ts">\n${source('A')}\n</file>\n<file path="b.json">\n{"a": 1}\n</file>`;
    await expect(names(text, 'a.ts', 'b.json')).rejects.toMatchObject({ code: 'nothing-to-fold' });
  });

  test('a file from disk if the text is not enough and it knows the project', async () => {
    const onDisk = createFolder({ cwd: __dirname });
    const folded = await onDisk.fold({ text: '[an image]', paths: ['file-folding.test.ts'], signal });
    expect(folded).toContain('function source, numbered, read, managerFor, outputs');
  });

  test('no file from disk that may not be read', async () => {
    const onDisk = createFolder({ cwd: __dirname, ignore: { isIgnored: (path) => path.endsWith('.ts') } });
    const paths = ['file-folding.test.ts'];
    await expect(onDisk.fold({ text: '[image of the code]', paths, signal })).rejects.toMatchObject({
      code: 'nothing-to-fold',
    });
  });

  test('one line of ten million characters', async () => {
    const refused = { code: 'nothing-to-fold' };
    await expect(names('x'.repeat(10_000_000), 'a.md')).rejects.toMatchObject(refused);
    await expect(names('<file '.repeat(500_000), 'a.md', 'b.md')).rejects.toMatchObject(refused);
  });
});

test('each of the results of parallel calls is folded for itself, by its own size', async () => {
  const small = 'export class Small {}';
  const messages = transcript(
    and(call('1', 'read', { path: 'a.ts' }), call('2', 'read', { path: 'small.ts' })),
    and(result('2', small), result('1', source('A'))),
    ...read('b.ts', source('B')),
    answer,
  );
  const before = await planContextOf(messages, { targetTokens: 0 });
  const targetTokens = before.currentTokens - 250;
  const { edits } = await fileFolding({ keepNewest: 0 }).plan({ ...before, targetTokens });
  expect(edits).toMatchObject([
    { part: 1, paths: ['a.ts'] },
    { part: 0, paths: ['b.ts'] },
  ]);
});

test('options of a folder are checked', () => {
  expect(() => createFolder({ maxLineSpan: -1 })).toThrow('createFolder.maxLineSpan');
  expect(() => fileFolding({ keepNewest: -1 })).toThrow('file-folding.keepNewest');
});

test('a folder in the parent container is not replaced', () => {
  const outer = createContainer();
  const folder: Folder = { fold: async () => '' };
  outer.register(folderToken, { useValue: folder });
  const inner = outer.createChildContainer();
  register(inner);
  expect(inner.resolve(folderToken)).toBe(folder);
});

test('a folder that the caller has registered is used', async () => {
  const folder = { fold: async ({ paths }: { readonly paths: readonly string[] }) => `mine: ${paths}` };
  const manager = managerFor([...read('a.ts', source('A')), answer], { keepNewest: 0 }, folder);
  await manager.compress({ strategy: 'file-folding', targetTokens: 0 });
  expect(outputs(manager.view())).toEqual(['mine: a.ts']);
});
