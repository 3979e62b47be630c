import { estimateTokens } from '@ctx/core';
import { codePoint } from '@ctx/testing';
import fc from 'fast-check';

test.each<[string, string, number]>([
  ['nothing', '', 0],
  ['Latin letters, four to a token', 'abcdefgh', 2],
  ['a started token, as a whole one', 'abcdefghi', 3],
  ['Chinese, 1.8 to a token', '必须使用数据库', 4],
  ['Japanese kana', 'ひらがなカタカナ', 5],
  ['Korean', '안녕하세요여러분', 5],
  ['full-width letters', 'ＡＢＣＤＥＦＧＨＩ', 5],
  ['emoji', '😀😀😀😀', 5],
  ['rare Chinese beyond the basic plane', '𠀀𠀁𠀂', 4],
  ['a mixture above a fifth, three to a token', 'abcdef数据库', 3],
  ['a mixture of exactly half, three to a token', 'ab数据', 2],
  ['a mixture of exactly a fifth, four to a token', 'abcd数', 2],
])('%s', (_title, text, tokens) => {
  expect(estimateTokens(text)).toBe(tokens);
});

test('an estimate is a whole number between a quarter of the length and all of it, for any string', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 300 }), (text) => {
      const tokens = estimateTokens(text);
      expect(Number.isInteger(tokens)).toBe(true);
      expect(tokens).toBeGreaterThanOrEqual(text.length / 4);
      expect(tokens).toBeLessThanOrEqual(text.length);
    }),
  );
});
