import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extractDefinitions } from '../../src/definitions/extract.js';

const paths = 'a.ts a.tsx a.js a.py a.go a.rs a.java a.c a.cpp a.cs a.rb a.php a.sh a.md a.txt'.split(' ');

const manyClasses = (bytes: number) => {
  const one = (at: number) => `export class C${at} {\n  run(a: number): string { return \`\${a}\`; }\n}\n`;
  return Array.from({ length: Math.ceil(bytes / one(100_000).length) }, (_, at) => one(at)).join('');
};

const deeply = (open: string, close: string) => `x = ${open.repeat(100_000)}${close.repeat(100_000)};`;

const noise = (length: number) => {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return String.fromCharCode((seed >> 8) & 0xff);
  }).join('');
};

describe.each(paths)('%s', (path) => {
  const extract = async (text: string) => (await extractDefinitions(text, { path })) ?? [];

  test('nothing is found in an empty text', async () => {
    expect(await extract('')).toEqual([]);
    expect(await extract('\n\n')).toEqual([]);
  });

  test('binary data does no harm', async () => {
    expect(await extract(noise(20_000))).toBeInstanceOf(Array);
    expect(await extract(`\0\uD800${'\0'.repeat(1000)}`)).toEqual([]);
  });

  test('a hundred thousand nested brackets do no harm', async () => {
    expect(await extract(deeply('[', ']'))).toEqual([]);
    expect(await extract(deeply('(', ''))).toEqual([]);
    expect(await extract('{'.repeat(100_000))).toEqual([]);
  });
});

describe('Broken code', () => {
  test.each([
    ['a.ts', 'class A {\n  done() { }\n  open(a: string): void {\n    if (a) {', 'class A,done,open'],
    ['a.py', 'class A:\n  def done(self): pass\n  def open(self):\n    return (1,', 'class A,done,open'],
    ['a.java', 'class A {\n  void done() { }\n  void open() {\n    if (a) {', 'class A,done,open'],
    ['a.cs', 'class A {\n  void Done() { }\n  void Open() {\n    if (a) {', 'class A,Done,Open'],
    ['a.cpp', 'class A {\n  void done() { }\n  void open() {\n    if (a) {', 'class A,done,open'],
    ['a.rs', 'impl A {\n  fn done() { }\n  fn open() {\n    if a {', 'class A,done,open'],
    ['a.rb', 'class A\n  def done; end\n  def open\n    if a', 'class A,done,open'],
    ['a.php', '<?php class A {\n function done() { }\n function open() {\n  if (a) {', 'class A,done,open'],
    ['a.go', 'package a\nfunc done() { }\nfunc open() {\n  if a {', 'done,open'],
    ['a.c', 'int done() { }\nint open() {\n  if (a) {', 'done,open'],
  ])('%s cut off in the middle still has what it had so far', async (path, text, expected) => {
    const found = (await extractDefinitions(text, { path })) ?? [];
    const names = found.map(({ kind, name }) => (kind === 'function' ? name : `${kind} ${name}`));
    expect(names.join()).toBe(expected);
  });

  test('definitions after an unclosed function are found', async () => {
    const text = 'function a() {\n  if (x) {\n    return 1;\n}\nfunction b() {}\nclass C { d() {} }\n';
    const found = await extractDefinitions(text, { path: 'a.ts' });
    expect(found?.map(({ name }) => name)).toEqual(['b', 'C', 'd']);
  });

  test('any prefix of a real file can be read', async () => {
    const file = join(dirname(require.resolve('web-tree-sitter')), 'web-tree-sitter.d.ts');
    const text = readFileSync(file, 'utf8').slice(0, 20_000);
    for (let end = 0; end < text.length; end += 997) {
      const lines = text.slice(0, end).split('\n').length;
      const found = await extractDefinitions(text.slice(0, end), { path: 'a.ts' });
      for (const { startLine, endLine } of found ?? []) {
        expect(startLine).toBeLessThanOrEqual(endLine);
        expect(endLine).toBeLessThanOrEqual(lines);
      }
    }
  });
});

describe('Long texts', () => {
  const big = manyClasses(1_000_000);

  /** What is found in a text, and how often the event loop turned meanwhile. */
  async function turnsDuring(text: string, path: string) {
    let [ticks, running] = [0, true];
    const tick = () => {
      ticks++;
      if (running) setImmediate(tick);
    };
    setImmediate(tick);
    const found = (await extractDefinitions(text, { path })) ?? [];
    running = false;
    return { found, ticks };
  }

  test('a megabyte is read completely, in order, while timers still fire', async () => {
    await extractDefinitions('', { path: 'a.ts' });
    const { found, ticks } = await turnsDuring(big, 'a.ts');
    expect(found).toHaveLength((big.match(/class/g)?.length ?? 0) * 2);
    expect(found[0]).toEqual({ kind: 'class', name: 'C0', startLine: 1, endLine: 3 });
    expect(found.at(-1)).toMatchObject({ kind: 'function', name: 'run', endLine: found.length * 1.5 - 1 });
    expect(ticks).toBeGreaterThan(20);
  });

  test('several files at once take turns and each gets its own definitions', async () => {
    const texts = ['One', 'Two', 'Three'].map((name) =>
      big.slice(0, 150_000).replace(/class C/g, `class ${name}`),
    );
    const all = await Promise.all(texts.map((text) => extractDefinitions(text, { path: 'a.ts' })));
    for (const [at, text] of texts.entries())
      expect(all[at]).toEqual(await extractDefinitions(text, { path: 'a.ts' }));
  });

  test('a machine that does something else in between is not a reason to give up', async () => {
    const { now } = performance;
    let waited = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => {
      waited += 600;
      return now.call(performance) + waited;
    });
    try {
      expect(await extractDefinitions(big.slice(0, 30_000), { path: 'a.ts' })).not.toHaveLength(0);
      expect(await extractDefinitions('# Heading\n'.repeat(1_000), { path: 'a.md' })).toHaveLength(1_000);
    } finally {
      clock.mockRestore();
    }
  });

  test('Markdown is read in slices too', async () => {
    const { ticks } = await turnsDuring('# Heading\ntext\n\n'.repeat(200_000), 'a.md');
    expect(ticks).toBeGreaterThan(1);
  });
});

describe('Texts that look like those that overload a parser', () => {
  test('do not include code with many comparisons, shifts and brackets in strings', async () => {
    const line = (at: number) => `function f${at}(a, b) { return a < b && b << 1 < 7 ? "([{<" : '<'; }`;
    const text = Array.from({ length: 150 }, (_, at) => line(at)).join('\n');
    expect(await extractDefinitions(text, { path: 'a.js' })).toHaveLength(150);
  });
});

describe('Aborting', () => {
  const reason = new Error('enough');

  test.each(['a.ts', 'a.md', 'a.txt'])('before the start: %s', async (path) => {
    const signal = AbortSignal.abort(reason);
    await expect(extractDefinitions('class A {}', { path, signal })).rejects.toBe(reason);
  });

  test.each(['a.ts', 'a.md'])('on the way: %s', async (path) => {
    const controller = new AbortController();
    const text = manyClasses(3_000_000);
    await extractDefinitions('', { path });
    setImmediate(() => controller.abort(reason));
    await expect(extractDefinitions(text, { path, signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('Memory', () => {
  const bytes = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;

  test('trees of finished and of aborted extractions are freed', async () => {
    const text = manyClasses(100_000);
    const round = async () => {
      for (let at = 0; at < 10; at++) {
        await extractDefinitions(text, { path: 'a.ts' });
        const controller = new AbortController();
        const aborted = extractDefinitions(text, { path: 'a.ts', signal: controller.signal });
        setImmediate(() => controller.abort());
        await aborted.catch(() => undefined);
      }
    };
    await round();
    const before = bytes();
    await round();
    await round();
    expect(bytes() - before).toBeLessThan(16_000_000);
  });
});
