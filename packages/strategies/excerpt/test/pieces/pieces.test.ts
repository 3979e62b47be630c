import type { Piece, PieceSource } from '../../src/pieces/index.js';
import { piecesOf } from './pieces-of.js';

/** Each piece as its kind and its text. */
const shown = (text: string, about?: PieceSource) =>
  piecesOf(text, about).map(({ start, end, kind }) => ({ kind, text: text.slice(start, end) }));

const pieceWith = (text: string, words: string, about?: PieceSource): Piece => {
  const found = piecesOf(text, about).find(({ start, end }) => text.slice(start, end).includes(words));
  if (!found) throw new Error(`no piece has ${words}`);
  return found;
};

describe('plain text', () => {
  test('a line is a piece, with its indentation and without white space at its end; blank lines are not', () => {
    expect(shown('one  \n\n  two\r\n \t\nthree')).toEqual([
      { kind: 'line', text: 'one' },
      { kind: 'line', text: '  two' },
      { kind: 'line', text: 'three' },
    ]);
    expect(piecesOf('')).toEqual([]);
    expect(piecesOf(' \n\t\r\n')).toEqual([]);
  });

  test('a long line of prose is divided into its sentences', () => {
    const sentences = Array.from(
      { length: 8 },
      (_, at) => `Sentence ${at} says something of the matter that it is about, and ends.`,
    );
    expect(shown(sentences.join(' ')).map(({ text }) => text)).toEqual(sentences);
  });

  test('sentences of a script without spaces are divided too', () => {
    const sentence = `${'这是一个很长的句子'.repeat(8)}。`;
    expect(shown(sentence.repeat(7)).map(({ text }) => text)).toEqual(Array(7).fill(sentence));
  });

  test('a giant line of code is divided between words, and a blob is worth almost nothing', () => {
    const code = 'function a(b){return b.c(d)};'.repeat(100);
    for (const { kind, start, end, weight } of piecesOf(code)) {
      expect(kind).toBe('window');
      expect(end - start).toBeLessThanOrEqual(200);
      expect(code.slice(start, end)).toMatch(/[ ;}]$/);
      expect(weight).toBe(1);
    }
    for (const { weight } of piecesOf('iVBORw0KGgoAAAANSUhEUg'.repeat(50))) expect(weight).toBeLessThan(0.1);
  });

  test.each([
    'Compiling 25 files (.ex)',
    '   Compiling serde v1.0.203',
    'Generated yaml_elixir app',
    'Collecting numpy<2.0',
    'Downloading left-pad 1.3.0',
    'Get:12 example.org stable/main amd64 curl',
    '> Task :app:compileJava',
    'remote: Counting objects: 100% (12/12), done.',
  ])('a step of a build weighs little: %s', (line) => {
    const pieces = piecesOf(`make\n${line}\nsrc/app.c: in main\n`);
    expect(pieces.map(({ weight }) => weight)).toEqual([1, expect.closeTo(0.1), 1]);
  });

  test.each(['Compiling the project needs a compiler.', 'Installing', 'Downloading files takes long'])(
    'a sentence about a build is ordinary: %s',
    (line) => {
      expect(piecesOf(`make\n${line}\nsrc/app.c\n`).map(({ weight }) => weight)).toEqual([1, 1, 1]);
    },
  );

  test('separators, progress bars and lone brackets weigh little', () => {
    const text = 'words\n----------\n  });\n[=====>     ] 40%\n██████ done\n';
    for (const words of ['---', '});', '[==', '██']) expect(pieceWith(text, words).weight).toBeLessThan(0.5);
  });

  test('numbered lines of a file and matches of a search are ordinary lines, whatever their text', () => {
    const text = '  1\tthrow new Error("x: FAILED");\n  2→  error: 1\n';
    expect(piecesOf(text).map(({ kind, weight }) => ({ kind, weight }))).toEqual(
      Array(2).fill({ kind: 'line', weight: 1 }),
    );
    expect(shown('src/a.ts:12: const a = 1;\nsrc/b.ts:7: b();').map(({ kind }) => kind)).toEqual([
      'line',
      'line',
    ]);
  });

  test('a source file has no failures', () => {
    expect(pieceWith('Error: it is\n', 'it is').kind).toBe('failure');
    expect(pieceWith('Error: it is\n', 'it is', { path: 'src/a.py' }).kind).toBe('line');
  });
});

describe('JSON', () => {
  const longNote = 'a note of some length '.repeat(10).trim();
  const order = {
    user: { name: 'Ana Lee', city: 'Rome' },
    reservations: [
      { id: 'NO6JO3', seats: ['12A', '12B'], note: longNote, price: 120 },
      { id: 'AIXC49', price: 99 },
    ],
    total: 219,
  };

  test('consecutive members are one piece, and short objects are kept whole', () => {
    expect(shown(JSON.stringify(order))).toEqual([
      { kind: 'json', text: '"user":{"name":"Ana Lee","city":"Rome"}' },
      { kind: 'json', text: '"id":"NO6JO3","seats":["12A","12B"]' },
      {
        kind: 'json',

        text: `"note":"${longNote}"`,
      },
      { kind: 'json', text: '"price":120' },
      { kind: 'json', text: '{"id":"AIXC49","price":99}' },
      { kind: 'json', text: '"total":219' },
    ]);
  });

  test('JSON of many lines has the same pieces', () => {
    const pretty = shown(JSON.stringify(order, undefined, 2));
    const bare = (pieces: typeof pretty) => pieces.map(({ text }) => text.replace(/\s/g, ''));
    expect(bare(pretty)).toEqual(bare(shown(JSON.stringify(order))));
    expect(pretty[4]?.text).toBe('{\n      "id": "AIXC49",\n      "price": 99\n    }');
  });

  test('short JSON is one piece', () => {
    expect(shown('{"a": [1, {"b": null}]}')).toEqual([{ kind: 'json', text: '{"a": [1, {"b": null}]}' }]);
  });

  test('each line of JSON lines is divided separately, and other lines between them are ordinary', () => {
    expect(shown('{"a":1}\nthen\n{"a":2}')).toEqual([
      { kind: 'json', text: '{"a":1}' },
      { kind: 'line', text: 'then' },
      { kind: 'json', text: '{"a":2}' },
    ]);
  });

  test('JSON that is cut off has pieces up to the cut', () => {
    const text = JSON.stringify(order);
    expect(shown(text.slice(0, text.indexOf('IXC49')))).toEqual([
      ...shown(text).slice(0, 4),
      { kind: 'json', text: '"id":"A' },
    ]);
    const cut = `${text.slice(0, text.indexOf(',"price"'))}\n... [2 KB left out]`;
    expect(shown(cut).at(-1)).toEqual({ kind: 'line', text: '... [2 KB left out]' });
    expect(shown(cut).filter(({ kind }) => kind === 'json')).toHaveLength(3);
  });

  test('a long string is divided at the ends of its lines, and never inside an escape', () => {
    const text = JSON.stringify({
      file: 'a.ts',
      content: 'const a = "b";\n\tif (a) \u0001run();\n'.repeat(40),
    });
    const windows = shown(text).filter(({ kind }) => kind === 'window');
    expect(windows.length).toBeGreaterThan(5);
    for (const [index, { text: part }] of windows.entries()) {
      if (index < windows.length - 1) expect(part).toMatch(/\\n$/);
      expect(part.length).toBeLessThanOrEqual(200);
    }
  });

  test('a dict that Python printed is read too', () => {
    const text = `{'a': None, 'b': [True, "it's"], 'c': {'d': '${'x y '.repeat(60)}', 'e': 1}}`;
    expect(shown(text).map(({ text: part }) => part)).toEqual([
      `'a': None, 'b': [True, "it's"]`,
      `'d': '${'x y '.repeat(60)}'`,
      `'e': 1`,
    ]);
  });

  test('JSON after some words on a long line is found', () => {
    const text = `data: ${JSON.stringify({ list: Array.from({ length: 9 }, (_, at) => ({ id: at, name: 'a name of some length that is long' })) })}`;
    expect(shown(text)[0]?.text).toBe('data: ');
    expect(shown(text)[3]).toEqual({
      kind: 'json',
      text: '{"id":2,"name":"a name of some length that is long"}',
    });
  });

  test('brackets in other text are not JSON', () => {
    for (const text of [
      '{\n  return a;\n}',
      '[a link](b)',
      '[ ] to do',
      '[12:30:01] start',
      '{ a: 1 }',
      '[1] a note',
    ])
      expect(shown(text).every(({ kind }) => kind === 'line')).toBe(true);
  });

  test('a member that describes an error weighs more', () => {
    expect(pieceWith('{"error": "no such seat", "id": 1}', 'error').weight).toBeGreaterThan(1);
    expect(pieceWith('{"error": null, "failed": 0}', 'error').weight).toBe(1);
  });

  test('JSON that is nested too deeply is divided too', () => {
    for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000), '[\n'.repeat(100_000)])
      expect(piecesOf(text).length).toBeGreaterThan(0);
  });
});

describe('test output', () => {
  test.each<[string, string, string[], string[], string[]]>([
    [
      'jest',
      'PASS src/a.test.ts\n  ✓ adds (3 ms)\nFAIL src/b.test.ts\n  ● takes away\n    Expected: 1\n    Received: 2\nTests:       1 failed, 1 passed, 2 total',
      ['FAIL', '●', 'Expected', 'Received', '1 failed'],
      ['PASS', '✓'],
      [],
    ],
    [
      'vitest',
      ' ✓ a.test.ts (2 tests) 3ms\n ❯ b.test.ts\n   × takes away 2ms\n Test Files  1 failed | 1 passed (2)',
      ['×', '1 failed'],
      ['✓'],
      ['❯'],
    ],
    [
      'pytest',
      'a.py::test_a PASSED   [ 50%]\n    def test_sub():\nE       assert 1 == 0\na.py:12: AssertionError\nFAILED a.py::test_sub - assert 1 == 0\n=== 1 failed, 2 passed in 0.05s ===',
      ['E  ', 'a.py:12', 'FAILED', '1 failed'],
      ['PASSED'],
      ['def'],
    ],
    [
      'go test',
      '=== RUN   TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n    b_test.go:12: got 1, want 2\nok  \texample.com/a\t0.01s\nFAIL\texample.com/b\t0.1s',
      ['--- FAIL', 'got 1', 'FAIL\t'],
      ['=== RUN', '--- PASS', 'ok  '],
      [],
    ],
    [
      'cargo test',
      'test a::adds ... ok\ntest a::subs ... FAILED\n  left: 1\n right: 2\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
      ['subs', 'left', 'right', 'result'],
      ['adds'],
      [],
    ],
    [
      'mocha',
      '    ✔ adds\n    1) takes away\n\n  1 passing (5ms)\n  1 failing',
      ['1 passing', '1 failing'],
      ['✔'],
      [],
    ],
    [
      'JUnit',
      'Running AppTest\nTests run: 2, Failures: 1, Errors: 0\n[ERROR] AppTest.takesAway:5',
      ['Tests run', '[ERROR]'],
      [],
      ['Running'],
    ],
    ['TAP', 'ok 1 - adds\nnot ok 2 - takes away', ['not ok'], ['ok 1'], []],
    [
      'a compiler',
      "src/a.ts(3,5): error TS2345: Argument\nx.c:1:2: error: expected ';'\nerror[E0308]: mismatched\nFound 2 errors.",
      ['TS2345', 'x.c', 'E0308', 'Found'],
      [],
      [],
    ],
  ])('failures and summaries of %s weigh more, what passed less', (_, text, more, less, same) => {
    for (const words of more) expect(pieceWith(text, words).weight).toBeGreaterThan(1);
    for (const words of less) expect(pieceWith(text, words).weight).toBeLessThan(1);
    for (const words of same) expect(pieceWith(text, words).weight).toBe(1);
  });

  test('ordinary prose and code with words such as error are ordinary', () => {
    for (const text of [
      'It handles errors well.',
      'if (error) throw error;',
      'console.error(message)',
      'The test passed to it is good.',
    ])
      expect(pieceWith(text, text).weight).toBe(1);
  });
});
