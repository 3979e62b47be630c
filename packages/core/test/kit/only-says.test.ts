import { onlySays } from '../../src/kit/importance.js';

const phrases = ['ok', 'thank you', '好', '好的', "that's it"];

test.each(['ok', 'OK!', '…ok, ok – thank   you.', 'okok', '好的好', '好好的。', "That's it", 'thank\nyou'])(
  '%j says nothing else',
  (text) => expect(onlySays(text, phrases)).toBe(true),
);

test.each(['', '  ', '?!', 'okay', 'ok then', 'thankyou', 'o k', 'ok 好吗'])('%j does not', (text) =>
  expect(onlySays(text, phrases)).toBe(false),
);

test('phrases that begin alike take no longer', () => {
  const many = ['a', 'aa', 'aaa', 'a a', '', ' '];
  expect(onlySays('a'.repeat(10_000), many)).toBe(true);
  expect(onlySays(`${'a'.repeat(10_000)}b`, many)).toBe(false);
});
