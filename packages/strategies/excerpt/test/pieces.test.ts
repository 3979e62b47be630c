import { type Piece, type PieceSource, piecesOf } from '../src/pieces/index.js';

/** Each piece as its kind, its text and the text of the piece that it depends on. */
const shown = (text: string, about?: PieceSource) => {
  const pieces = piecesOf(text, about);
  return pieces.map(({ start, end, kind, under }) => ({
    kind,
    text: text.slice(start, end),
    ...(under !== undefined && { under: text.slice(pieces[under]?.start, pieces[under]?.end) }),
  }));
};

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

describe('diffs', () => {
  const diff = [
    'diff --git a/a.ts b/a.ts\nindex 12..34 100644\n--- a/a.ts\n+++ b/a.ts',
    '@@ -1,4 +1,4 @@ function a',
    ' const a = 1;',
    '-const b = 2;',
    '+const b = 3;',
    '',
    ' run();',
    'and then',
  ].join('\n');

  test('lines are under their hunk, the hunk is under its file, and text after it is under neither', () => {
    const file = diff.slice(0, diff.indexOf('\n@@'));
    const hunk = '@@ -1,4 +1,4 @@ function a';
    expect(shown(diff)).toEqual([
      { kind: 'hunk', text: file },
      { kind: 'hunk', text: hunk, under: file },
      { kind: 'hunk', text: ' const a = 1;', under: hunk },
      { kind: 'hunk', text: '-const b = 2;', under: hunk },
      { kind: 'hunk', text: '+const b = 3;', under: hunk },
      { kind: 'hunk', text: ' run();', under: hunk },
      { kind: 'line', text: 'and then' },
    ]);
  });

  test('changed lines weigh more than the lines around them', () => {
    expect(pieceWith(diff, '-const').weight).toBeGreaterThan(pieceWith(diff, ' run').weight);
  });

  test('a second file and a diff without git are found', () => {
    const text = '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n--- c\n+++ d\n@@ -1 +1 @@\n-- z\n+w\n';
    expect(shown(text).map(({ under }) => under)).toEqual([
      ...[undefined, '--- a\n+++ b', '@@ -1 +1 @@', '@@ -1 +1 @@'],
      ...[undefined, '--- c\n+++ d', '@@ -1 +1 @@', '@@ -1 +1 @@'],
    ]);
  });
});

describe('stack traces', () => {
  test.each<[string, string, string, string, string]>([
    [
      'JavaScript',
      'TypeError: a is undefined\n    at run (/app/src/run.ts:12:5)\n    at go (/app/node_modules/x/i.js:1:1)',
      'TypeError',
      'run.ts',
      'node_modules',
    ],
    [
      'Python',
      'Traceback (most recent call last):\n  File "/app/main.py", line 10, in main\n    go()\n  File "/usr/lib/python3.11/json/decoder.py", line 3, in decode\n    raise x\n    ^^^^^^^\nValueError: no',
      'Traceback',
      'main.py',
      'decoder.py',
    ],
    [
      'Java',
      'Exception in thread "main" java.lang.IllegalStateException: bad\n\tat com.acme.App.main(App.java:5)\n\tat java.base/java.lang.Thread.run(Thread.java:1)',
      'Exception',
      'App.java',
      'Thread.java',
    ],
    [
      'Go',
      'panic: out of range\n\ngoroutine 1 [running]:\nmain.run(0xc0)\n\t/app/main.go:12 +0x1d\nruntime.main()\n\t/usr/local/go/src/runtime/proc.go:250 +0x1',
      'goroutine',
      'main.go',
      'proc.go',
    ],
    [
      'Rust',
      "thread 'main' panicked at src/main.rs:4:5:\nout of range\nstack backtrace:\n   0: rust_begin_unwind\n             at /rustc/abc/library/std/src/panicking.rs:1\n   1: app::main\n             at ./src/main.rs:4:5",
      'stack backtrace',
      'app::main',
      'panicking.rs',
    ],
  ])(
    'frames of %s are under the first line, and those of the project weigh more',
    (_, text, head, own, foreign) => {
      const headPiece = pieceWith(text, head);
      const [ours, theirs] = [pieceWith(text, own), pieceWith(text, foreign)];
      expect(headPiece.kind).toBe('failure');
      expect(ours.weight).toBeGreaterThan(1);
      expect(theirs.weight).toBeLessThan(0.5);
      for (const piece of [ours, theirs]) {
        expect(piece.kind).toBe('frame');
        expect(piecesOf(text)[piece.under ?? -1]).toEqual(headPiece);
      }
    },
  );

  test('the message of a Python error, which comes last, is a failure', () => {
    const text =
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    b\nNameError: b\n';
    expect(pieceWith(text, 'NameError').weight).toBeGreaterThan(1.5);
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

describe('tables', () => {
  test.each<[string, string, string[]]>([
    ['Markdown', '| name | size |\n|---|--:|\n| a | 1 |\n| b | 2 |\n\nafter', ['| a | 1 |', '| b | 2 |']],
    ['psql', ' id | name\n----+------\n  1 | ana\n  2 | bob\n(2 rows)', ['  1 | ana', '  2 | bob']],
    [
      'columns',
      'NAME      READY   STATUS\nweb-1     1/1     Running\ndb-0      0/1     Pending',
      ['web-1     1/1     Running', 'db-0      0/1     Pending'],
    ],
    [
      'columns with a rule',
      'Package    Version\n---------- -------\npip        24.0\nrequests   2.31',
      ['pip        24.0', 'requests   2.31'],
    ],
    ['CSV', 'id,name,city\n1,ana,Rome\n2,bob,"Paris, France"', ['1,ana,Rome', '2,bob,"Paris, France"']],
    ['TSV', 'id\tname\n1\tana\n2\tbob', ['1\tana', '2\tbob']],
  ])('rows of %s are under the header', (_, text, rows) => {
    const header = text.slice(0, text.indexOf('\n'));
    const found = shown(text).filter(({ kind }) => kind === 'row');
    expect(found[0]).toEqual({ kind: 'row', text: header });
    expect(found.filter(({ text: row }) => !/^[-|: +]+$/.test(row)).slice(1)).toEqual(
      rows.map((row) => ({ kind: 'row', text: row, under: header })),
    );
  });

  test('text that only resembles a table is not one', () => {
    for (const text of [
      'First, we go, then, well,\nyes, no, so, and\nthen, there, is, this',
      'call(a, b, c);\ncall(d, e, f);\ncall(g, h, i);',
    ])
      expect(shown(text).every(({ kind }) => kind === 'line')).toBe(true);
  });

  test('tables with a rule are found in source files too, but rows with commas are not', () => {
    expect(shown('| a | b |\n|---|---|\n| 1 | 2 |', { path: 'README.md' }).map(({ kind }) => kind)).toEqual(
      Array(3).fill('row'),
    );
    expect(shown('a,b,c\n1,2,3\n4,5,6', { path: 'a.py' }).map(({ kind }) => kind)).toEqual(
      Array(3).fill('line'),
    );
  });

  test('a table with 120 columns, each 24 wide, is found', () => {
    const line = (cell: string, joint: string) => Array(120).fill(cell.padEnd(24, cell)).join(joint);
    const rule = line('-', '-+-');
    const text = `${line('name', ' | ')}\n${rule}\n${line('x', ' | ')}`;
    expect(shown(text).some(({ under }) => under !== undefined)).toBe(true);
  });

  // A search that backtracks over these lines takes minutes.
  test.each<[string, string]>([
    ['a rule', `name\n${'---+-'.repeat(300)}`],
    ['a rule of one width', `name\n${`${'-'.repeat(24)}+`.repeat(60)}`],
    ['a rule of double lines', `name\n${'== '.repeat(600)}!`],
    ['names of columns', `${'NAME  '.repeat(300)}.\na  b  c`],
    ['names of columns that are a call', `F(${'  NAME'.repeat(300)}.\na  b  c`],
    ['names of columns and much space', `NAME  ID${' '.repeat(1_900)}.\na  b  c`],
    ['a rule of Markdown', `| a |\n|${' --- |'.repeat(300)}x`],
  ])('%s with a bad end is read only once', (_, text) => {
    expect(shown(text).some(({ kind }) => kind === 'row')).toBe(false);
  });

  test('a listing of files is ordinary lines', () => {
    expect(
      shown('total 8\ndrwxr-xr-x 2 root root 4096 May  3 10:00 src').every(({ kind }) => kind === 'line'),
    ).toBe(true);
  });
});
