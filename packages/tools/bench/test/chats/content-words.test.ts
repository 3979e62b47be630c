import { contentWordsIn, wordFinder } from '../../src/chats/content-words.js';

const turns = [
  'Her turtle is called Pebble, and it is 7.',
  '她的乌龟叫小石头。',
  'Die Schildkröte frisst Salat.',
  ...Array.from({ length: 57 }, (_, index) => `It is ${index === 0 ? 'not' : 'very'} nice outside.`),
];
const contentWords = contentWordsIn(turns);

test.each([
  ['Its name is Pebble', ['pebble']],
  ['very nice Turtle', ['turtle']],
  ['a tortoise', []],
  ['It is 7', ['7']],
  ['die Schildkröte', ['die', 'schildkröte']],
])('the words of content in "%s" are %j', (text, expected) => {
  expect(contentWords(text)).toEqual(expected);
});

test('words without spaces between them are found, too', () => {
  const words = contentWords('小石头');
  expect(words.length).toBeGreaterThan(0);
  expect(words.join('')).toBe('小石头');
  expect(words.every(wordFinder('叫小石头。'))).toBe(true);
  expect(words.every(wordFinder('叫大树。'))).toBe(false);
});

test('a word with spaces around it is not found in a longer one', () => {
  const finds = wordFinder("Pebbles aren't here, o'clock");
  expect(['pebble', "o'clock", 'here', 'her'].map(finds)).toEqual([false, true, true, false]);
});
