import { atomsOf, contextOf, occursIn, positionsOf } from '../src/index.js';

describe('the atoms of a text', () => {
  test.each<[string, string, string[]]>([
    ['paths', 'see src/app.ts and /usr/share/x.', ['src/app.ts', '/usr/share/x']],
    ['paths from home and from here', '~/notes/a.md or ./lib/b.js', ['~/notes/a.md', './lib/b.js']],
    ['URLs, without what ends the sentence', 'open https://x.dev/a?b=1.', ['https://x.dev/a?b=1']],
    ['e-mail addresses', 'mail me@site.org, soon', ['me@site.org']],
    ['camelCase', 'call parseTokens and HttpServer', ['parseTokens', 'HttpServer']],
    ['snake_case', 'set max_size and MAX_RETRIES', ['max_size', 'MAX_RETRIES']],
    ['dotted names', 'app.module and self.tokens', ['app.module', 'self.tokens']],
    ['names of files', 'rename index.test.ts', ['index.test.ts']],
    ['kebab ids', 'order-2231 and user-profile', ['order-2231', 'user-profile', '2231']],
    ['numbers of four digits', 'order 4821 of 48213', ['4821', '48213']],
    ['ids of letters and digits', 'by a1b2c of HAT081', ['a1b2c', 'HAT081']],
    ['hashes', 'at 9c1185a5c5e9fc54612808977ee8f548b2258d31', ['9c1185a5c5e9fc54612808977ee8f548b2258d31']],
    ['phrases in double quotes', 'he said "too late now" then', ['too late now']],
    ['phrases in single quotes', "he said 'too late now' then", ['too late now']],
    ['phrases in backticks', 'run `npm test` now', ['npm test']],
    ['phrases of 60 characters', `"${'a '.repeat(29)}ab"`, [`${'a '.repeat(29)}ab`]],
    ['phrases inside of a quotation that is too long', `"'go on' ${'a '.repeat(40)}"`, ['go on']],
  ])('%s', (_what, text, atoms) => {
    expect([...atomsOf(text)].sort()).toEqual([...atoms].sort());
  });

  test.each<[string, string]>([
    ['words and short numbers', 'We went there with 12 of them, and so on.'],
    ['a single plain word in quotes', 'the "Parser", the \'parser\' and the `parser`'],
    ['quotations of three characters', '"a b"'],
    ['quotations of more than 60 characters', `"${'a '.repeat(30)}ab"`],
    ['quoted punctuation', '"-----" and "=> {}"'],
    ['text between two quoted words', 'the "cat" sat on the "mat" too'],
    ['text between short quotations', '{"a": [1, 2, 3], "b": [4]}'],
    ['text between apostrophes', "I don't know, but it's fine"],
    ['names of fewer than five characters', 'a-b, a_b, aB, a.b, a1b2'],
    ['numbers of three digits', 'line 123'],
    ['words in capitals', 'NEVER EVER'],
    ['nothing', ''],
  ])('%s are none', (_what, text) => {
    expect([...atomsOf(text)]).toEqual([]);
  });

  test('part of a path or an address is not a separate atom', () => {
    expect([...atomsOf('src/parseTokens/max_size.ts')]).toEqual(['src/parseTokens/max_size.ts']);
    expect([...atomsOf('https://x.dev/order-2231')]).toEqual(['https://x.dev/order-2231']);
  });

  test('come from every line, each once', () => {
    expect([...atomsOf('max_size\nmin_size\nmax_size')]).toEqual(['max_size', 'min_size']);
  });
});

describe('a giant line is read quickly', () => {
  test('of ten megabytes of paths', () => {
    expect([...atomsOf('ab/cd '.repeat(2_000_000))]).toEqual(['ab/cd']);
  });

  test.each([
    ['one word', 'a'],
    ['hyphens', '-'],
    ['dots', 'a.'],
    ['quotes', '"'],
    ['apostrophes', "a'"],
    ['slashes', '/'],
    ['dollars', 'a$'],
    ['hyphenated letters', 'a-'],
  ])('nor are forty lines of 20,000 characters of %s', (_what, piece) => {
    const line = piece.repeat(20_000 / piece.length);
    expect(atomsOf(Array(40).fill(line).join('\n')).size).toBeLessThanOrEqual(1);
  });

  test('with one atom a hundred thousand times on it', () => {
    const text = 'max_size '.repeat(100_000);
    const contexts = new Set([...positionsOf('max_size', text)].map((at) => contextOf(text, at, 'max_size')));
    // The first three and the last three have less text next to them.
    expect(contexts.size).toBe(7);
  });
});

describe('an atom occurs in a text only as a separate word', () => {
  test.each([
    ['a.ts', 'see a.ts!', true],
    ['a.ts', 'see data.ts', false],
    ['a.ts', 'see a.tsx', false],
    ['a.ts', 'see lib/a.ts', true],
    ['4821', '48213', false],
    ['4821', 'order-4821', true],
    ['max_size', 'max_sizes, max_size', true],
    ['/usr/x', 'in /usr/x', true],
    ['(a, b)', 'f(a, b)c', true],
    ['size', '', false],
  ])('%s in "%s": %s', (atom, text, stands) => {
    expect(occursIn(atom, text)).toBe(stands);
  });

  test('at each of its places', () => {
    expect([...positionsOf('ab', 'ab abc ab cab ab')]).toEqual([0, 7, 14]);
  });
});

describe('the context of an atom', () => {
  test('ends with its line', () => {
    expect(contextOf('one\nx parseTokens y\ntwo', 6, 'parseTokens')).toBe('x parseTokens y');
    expect(contextOf('x parseTokens', 2, 'parseTokens')).toBe('x parseTokens');
    expect(contextOf('parseTokens', 0, 'parseTokens')).toBe('parseTokens');
  });
});
