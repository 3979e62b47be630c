import { deepFreeze } from '@ctx/testing';
import fc from 'fast-check';
import { cutJson } from '../../src/kit/cut-json.js';

const tokensOf = (text: string) => Math.ceil(text.length / 4);

test('long texts, long lists and large objects are cut, each with a note, and the rest stays', () => {
  const value = deepFreeze({
    ok: true,
    log: 'x'.repeat(100_000),
    items: Array.from({ length: 5000 }, (_, id) => ({ id })),
    counts: Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, index])),
  });
  const cut = cutJson(value, { maxTokens: 500, tokensOf }) as string;
  const parsed = JSON.parse(cut) as typeof value;
  expect(tokensOf(cut)).toBeLessThanOrEqual(500);
  expect(tokensOf(cut)).toBeGreaterThan(150);
  expect(parsed.ok).toBe(true);
  expect(parsed.log).toMatch(/^x+… [\d,]+ characters left out …x+$/);
  expect(parsed.items[0]).toEqual({ id: 0 });
  expect(parsed.items.at(-1)).toEqual({ id: 4999 });
  expect(parsed.items).toContainEqual(expect.stringMatching(/^… [\d,]+ items left out …$/));
  expect(parsed.counts).toMatchObject({ key0: 0, '…': expect.stringMatching(/keys left out/) });
});

test('a value that is small enough stays equal', () => {
  expect(cutJson({ a: [1, 2, { b: null }] }, { maxTokens: 50, tokensOf })).toBe('{"a":[1,2,{"b":null}]}');
});

test('a value nested too deep, or in itself, becomes an ellipsis without a stack overflow', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(JSON.parse(cutJson(deep, { maxTokens: 200, tokensOf }) as string)).toBeInstanceOf(Array);
  const cycle: Record<string, unknown> = {};
  Object.assign(cycle, { left: cycle, right: cycle });
  expect(tokensOf(cutJson(cycle, { maxTokens: 400, tokensOf }) as string)).toBeLessThanOrEqual(400);
});

test('for any value, the result is JSON within its tokens', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 1, max: 200 }), (value, maxTokens) => {
      const cut = cutJson(value, { maxTokens, tokensOf });
      if (cut === undefined) return;
      JSON.parse(cut);
      expect(tokensOf(cut)).toBeLessThanOrEqual(maxTokens);
    }),
  );
});
