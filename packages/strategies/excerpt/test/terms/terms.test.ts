import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import type { Term, TermKind } from '../../src/terms/term.js';
import { TermIndex } from '../../src/terms/term-index.js';

/** The terms of a text, each once, in order of first use. */
function termsOf(text: string): Term[] {
  const index = new TermIndex();
  return index.idsOf(text).map((id) => index.term(id));
}

const keysOf = (text: string, kind?: TermKind) =>
  termsOf(text)
    .filter((term) => !kind || term.kind === kind)
    .map(({ key }) => key);

test.each<[TermKind, string, string[]]>([
  [
    'name',
    'getName calls MAX_SIZE, read_file, a XMLHttpRequest and max-workers',
    ['getname', 'max_size', 'read_file', 'xmlhttprequest', 'max-workers'],
  ],
  [
    'name',
    'How do Registry.get_pane_id/1 and list_panes/0 work?',
    ['registry.get_pane_id', 'get_pane_id', 'list_panes'],
  ],
  ['name', 'std::vec::Vec and app.config.port', ['std::vec::vec', 'app.config.port']],
  [
    'name',
    'see src/app/main.ts:12, ./lib/a.js, /usr/local/bin and notes.md',
    ['src/app/main.ts', 'main.ts', 'lib/a.js', 'a.js', '/usr/local/bin', 'notes.md'],
  ],
  [
    'name',
    'tests/test_app.py::TestUser::test_login failed',
    ['tests/test_app.py', 'test_app.py', 'testuser', 'test_login'],
  ],
  ['name', 'merge feat/login-form and/or this', ['feat/login-form', 'login-form', 'and/or']],
  ['name', 'C:\\Users\\ana\\x.txt', ['c:/users/ana/x.txt', 'x.txt']],
  [
    'name',
    '(https://example.com/a?b=1), http://localhost:3000/.',
    ['https://example.com/a?b=1', 'example.com', 'http://localhost:3000', 'localhost'],
  ],
  ['name', 'write to ana.lee@mail.example.org.', ['ana.lee@mail.example.org']],
  [
    'id',
    '123e4567-e89b-12d3-a456-426614174000 or a1b2c3d4e5 or AB-1234',
    ['123e4567-e89b-12d3-a456-426614174000', 'a1b2c3d4e5', 'ab-1234'],
  ],
  ['number', '4821 and 12 and 10.0.0.1 and 3.14159', ['4821', '10.0.0.1', '3.14159']],
  ['name', 'TypeError, ENOENT, E1234, error TS2345', ['typeerror', 'enoent', 'e1234', 'ts2345']],
  ['word', 'мы видели Москву', ['видели', 'москву']],
  ['number', '12ms, 3.5GB, 2024-05-03T14:30:00Z, 2024-05-03, at 14:30', []],
  ['word', 'the flights, booked by booking a flight', ['flight', 'book']],
])('%s: %s', (kind, text, expected) => {
  expect(keysOf(text, kind).toSorted()).toEqual(expected.toSorted());
});

test('words of scripts without spaces are found', () => {
  expect(keysOf('我们在这里测试中文')).toEqual(expect.arrayContaining(['测试', '中文']));
  expect(keysOf('สวัสดีชาวโลก')).toContain('โลก');
  expect(keysOf('東京タワーに行く')).toEqual(expect.arrayContaining(['東京タワー', '行く']));
});

test('forms of a word match by their stem, and short words are no terms', () => {
  for (const words of [
    'changes changing changed change',
    'queries query',
    'bookings booked book',
    'matches matching match',
  ])
    expect(keysOf(words)).toHaveLength(1);
  expect(keysOf('class status analysis string is a cat')).toEqual(['class', 'status', 'analysis', 'string']);
});

test('escapes in string literals and terminal colours are not part of words', () => {
  expect(keysOf('{"text":"first line\\nsecond \\u2014third\\u001b[31mfourth"}', 'word').toSorted()).toEqual(
    ['text', 'first', 'line', 'second', 'third', 'fourth'].toSorted(),
  );
  expect(keysOf('\u001b[1;31mwords\u001b[0m ago')).toEqual(['word']);
});

test('a blob has no terms', () => {
  expect(keysOf('Y2F0IGFuZCBkb2c'.repeat(40))).toEqual([]);
});

test('a long text without a space or a mark has terms in a script without spaces', () => {
  expect(keysOf('中文字符测试'.repeat(1_000))).toEqual(expect.arrayContaining(['中文', '测试']));
});

test('an index that only looks up knows what others have learned, and learns nothing', () => {
  const index = new TermIndex();
  const learned = index.idsOf('src/app.ts');
  const { size } = index;
  expect(index.known().idsOf('in src/app.ts and src/other.ts it costs $20')).toEqual(learned);
  expect(index.size).toBe(size);
});

test('one index gives a term the same id in all texts', () => {
  const index = new TermIndex();
  const [first] = index.idsOf('fooBar');
  expect(index.idsOf('x fooBar y')).toEqual([first]);
  expect(index.idsOf('x fooBar y')).toEqual([first]);
  expect(index.term(first as number)).toEqual({ id: first, key: 'foobar', kind: 'name' });
});

test('a part of a text has the terms of that part only', () => {
  const text = 'alpha beta gamma';
  const index = new TermIndex();
  expect(index.idsOf(text, 6, 10).map((id) => index.term(id).key)).toEqual(['beta']);
});

test('gives each term of any text once, and the same terms every time', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: codePoint, maxLength: 300 }), fc.lorem({ maxCount: 20 })),
      (text) => {
        const terms = termsOf(text);
        expect(new Set(terms.map(({ key }) => key)).size).toBe(terms.length);
        expect(termsOf(text)).toEqual(terms);
        for (const { key } of terms) expect(key).not.toBe('');
      },
    ),
    { numRuns: 334 },
  );
});

const hostile: Record<string, (size: number) => string> = {
  'one letter': (size) => 'a'.repeat(size),
  spaces: (size) => ' '.repeat(size),
  quotes: (size) => '"'.repeat(size),
  'open quotes': (size) => `"a 'b `.repeat(size / 6),
  dots: (size) => '.'.repeat(size),
  'letters with dots': (size) => 'a.'.repeat(size / 2),
  slashes: (size) => '/'.repeat(size),
  'letters with at signs': (size) => 'a@'.repeat(size / 2),
  digits: (size) => '7'.repeat(size),
  'digits with colons': (size) => '1:'.repeat(size / 2),
  'digits with commas': (size) => '1,'.repeat(size / 2),
  URLs: (size) => 'http://a.b/'.repeat(size / 11),
  Chinese: (size) => '中文字符测试'.repeat(size / 6),
  'capitalised words': (size) => 'Abcd '.repeat(size / 5),
  'mixed quotes': (size) => '"`“„«'.repeat(size / 5),
  'distinct identifiers': (size) =>
    Array.from({ length: size / 12 }, (_, at) => `name${at + 100_000}Of`).join(' '),
};

test('the terms of 300,000 characters of anything are found, each once', () => {
  for (const make of Object.values(hostile)) {
    const keys = termsOf(make(300_000)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  }
});
