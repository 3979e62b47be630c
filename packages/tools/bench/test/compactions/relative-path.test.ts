import { holderOf } from '../../src/compactions/relative-path.js';

const atom = '/home/ada/shop/src/cart/total.ts';
const holds = (text: string, of = atom) => holderOf(text)(of);

test.each([
  ['the path itself', 'see /home/ada/shop/src/cart/total.ts.', true],
  ['its end of two segments', 'see `cart/total.ts`', true],
  ['its end of three segments, after a dot', 'see ./src/cart/total.ts:12', true],
  ['the name of the file alone', 'see total.ts', false],
  ['the end of another path', 'see lib/cart/total.ts', false],
  ['a longer name', 'see cart/total.tsx', false],
  ['the beginning', 'see /home/ada/shop/src', false],
])('a path counts by %s: %s', (_what, text, expected) => {
  expect(holds(text)).toBe(expected);
});

test('a relative path counts by its end too', () => {
  expect(holds('see cart/total.ts', 'src/cart/total.ts')).toBe(true);
  expect(holds('see total.ts', 'cart/total.ts')).toBe(false);
});

test('what is not a path only counts as a whole', () => {
  expect(holds('the host/page of it', 'https://host/page')).toBe(false);
  expect(holds('at https://host/page', 'https://host/page')).toBe(true);
  expect(holds('cart_total', 'cart_total')).toBe(true);
  expect(holds('cart_totals', 'cart_total')).toBe(false);
});
