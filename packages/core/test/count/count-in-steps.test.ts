import { bpeCounter, finish, type Steps } from '@ctx/core';
import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';

type Encoding = NonNullable<Parameters<typeof bpeCounter>[0]>;

const counters = { o200k_base: bpeCounter('o200k_base'), cl100k_base: bpeCounter('cl100k_base') };
const plain = { disallowedSpecial: new Set<string>() };
const whole: Record<Encoding, (text: string) => number> = {
  o200k_base: (text) => o200k(text, plain),
  cl100k_base: (text) => cl100k(text, plain),
};
const encodings = Object.keys(counters) as Encoding[];

beforeAll(async () => {
  for (const counter of Object.values(counters)) await counter.load?.();
});

function stepsOf<Result>(steps: Steps<Result>): { readonly result: Result; readonly steps: number } {
  let count = 1;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) count += 1;
  return { result: step.value, steps: count };
}

/** What texts are made of; no piece of the encodings is longer than 512 characters. */
const fragments = fc.oneof(
  fc.constantFrom(
    'const value = items.map((one) => one.id);\n',
    "don't we'll they've IT'S",
    '  \n\n\t  ',
    '      ',
    '12345678901234',
    '数字を数えます。次の行、',
    'e\u0301te\u0301 naïve Straße',
    '😀👩‍👩‍👧 🇩🇪',
    '<|endoftext|><|im_start|>',
    '-----+-----+-----',
    '| - - - | - - - |',
    '. , ; : ! ? ( ) ',
    'https://example.org/a/b?c=1&d=%20#e\r\n',
    '\'\'\'\'""""',
  ),
  fc.string({ unit: codePoint, maxLength: 30 }),
);
const texts = fc
  .tuple(fc.array(fragments, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 60 }))
  .map(([some, times]) => some.join('').repeat(times));

test.each(encodings)('%s: a long text counted in steps has as many tokens as the whole', (encoding) =>
  fc.assert(
    fc.property(texts, (text) => {
      const counted = finish(counters[encoding].countInSteps?.(text) as Steps<number>);
      // A longer run may be a giant piece, which is cut; see tokenizer.ts. Characters may have two UTF-16 units.
      fc.pre(!/[\p{L}\p{M}]{250}|[^\p{L}\p{N}\s]{250}|\s{250}/u.test(text));
      expect(counted).toBe(whole[encoding](text));
      expect(counters[encoding].count(text)).toBe(counted);
    }),
    { numRuns: 67 },
  ),
);

test('no step counts much more than eight thousand characters, whatever the length', () => {
  const line = 'The quick brown fox jumps over the lazy dog, and then returns.\n';
  const text = line.repeat(4_000);
  const counted = stepsOf(counters.o200k_base.countInSteps?.(text) as Steps<number>);
  expect(counted.result).toBe(o200k(text, plain));
  expect(counted.steps).toBeGreaterThan(text.length / 10_000);
});

test('giant pieces are counted in steps too, and as when counted at once', () => {
  const text = `${'x'.repeat(300_000)} and ${'ab '.repeat(20_000)}${' '.repeat(5_000)}`;
  const counted = stepsOf(counters.o200k_base.countInSteps?.(text) as Steps<number>);
  expect(counted.result).toBe(counters.o200k_base.count(text));
  expect(counted.steps).toBeGreaterThan(100);
});

test('a text of more than a million characters takes no more work, however long it is', () => {
  const line = 'The quick brown fox jumps over the lazy dog, and then returns.\n';
  const stepsFor = (length: number) =>
    stepsOf(counters.o200k_base.countInSteps?.(line.repeat(length / line.length)) as Steps<number>).steps;
  expect(stepsFor(8_000_000)).toBe(stepsFor(2_000_000));
});
