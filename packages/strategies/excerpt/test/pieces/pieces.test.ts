import { sizes } from '../../src/weights.js';
import { piecesOf } from './pieces-of.js';

/** Each piece as its kind and its text. */
const shown = (text: string) =>
  piecesOf(text).map(({ start, end, kind }) => ({ kind, text: text.slice(start, end) }));

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

  test('a giant line of code is divided between words', () => {
    const code = 'function a(b){return b.c(d)};'.repeat(100);
    for (const { kind, start, end } of piecesOf(code)) {
      expect(kind).toBe('window');
      expect(end - start).toBeLessThanOrEqual(sizes.line);
      expect(code.slice(start, end)).toMatch(/[ ;}]$/);
    }
  });

  test('every line of output is a piece, whatever it says', () => {
    const lines = [
      '--- FAIL: TestB',
      '  });',
      '  1\tthrow new Error("x: FAILED");',
      'src/a.ts:12: const a = 1;',
    ];
    expect(shown(lines.join('\n'))).toEqual(lines.map((text) => ({ kind: 'line', text })));
  });
});

describe('JSON', () => {
  const longNote = 'a note of some length '.repeat(12).trim();
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
      expect(part.length).toBeLessThanOrEqual(sizes.line);
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
    const text = `data: ${JSON.stringify({ list: Array.from({ length: 9 }, (_, at) => ({ id: at, name: 'a name of some length that is rather long indeed' })) })}`;
    expect(shown(text)[0]?.text).toBe('data: ');
    expect(shown(text)[3]).toEqual({
      kind: 'json',
      text: '{"id":2,"name":"a name of some length that is rather long indeed"}',
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

  test('JSON that is nested too deeply is divided too', () => {
    for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000), '[\n'.repeat(100_000)])
      expect(piecesOf(text).length).toBeGreaterThan(0);
  });
});
