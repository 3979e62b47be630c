import { commonPairs } from '../../src/search/pairs.js';

const common = (query: string, text: string) => commonPairs(query)(text).length;

test('a text has a pair if two words stand in it side by side, in any form and as pieces of a name', () => {
  expect(common('failed to parse configs', 'It failed to parse the config.')).toBe(2);
  expect(common('parse config', 'parseConfig, parse_configs and PARSE-CONFIG')).toBe(1);
  expect(common('HTTP server', 'new HTTPServer()')).toBe(1);
});

test('words of two lines are no pair, nor are words in another order', () => {
  expect(common('one\ntwo', 'one two')).toBe(0);
  expect(common('one two', 'one\ntwo')).toBe(0);
  expect(common('one two', 'two one')).toBe(0);
});

test('a query of one word has no pairs, and any text can be looked through', () => {
  expect([common('word', 'word word'), common('', 'one two')]).toEqual([0, 0]);
  for (const text of ['', '\n\n', '\ud800', '__proto__ constructor', '中文 文本'])
    expect(common('one two', text)).toBe(0);
  expect(common('__proto__ constructor', 'the constructor of __proto__ constructor')).toBe(1);
});
