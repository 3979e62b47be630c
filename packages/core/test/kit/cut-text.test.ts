import { codePoint } from '@ctx/testing';
import fc from 'fast-check';
import { cutText } from '../../src/kit/cut-text.js';

const byWords = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;
const byFours = (text: string) => Math.ceil(text.length / 4);

test('head and tail stay, and the marker gives the number of removed tokens and lines', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `line number ${index}`);
  const cut = cutText(lines.join('\n'), { maxTokens: 100, tokensOf: byWords }) as string;
  const marker = /\[… ([\d,]+) tokens \(([\d,]+) lines\) left out …\]/.exec(cut);
  const [head, tail] = cut.split(marker?.[0] as string) as [string, string];
  expect(cut.startsWith('line number 0\n')).toBe(true);
  expect(cut.endsWith('\nline number 999')).toBe(true);
  expect(byWords(cut)).toBeLessThanOrEqual(100);
  expect(byWords(cut)).toBeGreaterThan(75);
  expect(Number(marker?.[1]?.replace(',', ''))).toBe(3000 - byWords(head) - byWords(tail));
  const kept = [...head.split('\n'), ...tail.split('\n')].filter((line) => line !== '');
  expect(kept.every((line) => lines.includes(line))).toBe(true);
  expect(Number(marker?.[2]?.replace(',', ''))).toBe(1000 - kept.length);
});

test('headShare sets how much of the kept text comes from the start', () => {
  const text = Array.from({ length: 1000 }, (_, index) => `w${index}`).join(' ');
  const cut = cutText(text, { maxTokens: 120, tokensOf: byWords, headShare: 0.8 }) as string;
  const [head = '', tail = ''] = cut.split(/\n\[.*\]\n/);
  expect(byWords(head)).toBeGreaterThan(3 * byWords(tail));
});

test('a single line of a million characters is cut by characters', () => {
  const cut = cutText('x'.repeat(1_000_000), { maxTokens: 200, tokensOf: byFours }) as string;
  expect(cut).toMatch(/^x+\n\[… [\d,]+ tokens \([\d,]+ characters\) left out …\]\nx+$/);
  expect(byFours(cut)).toBeLessThanOrEqual(200);
});

test('a surrogate pair is never split', () => {
  for (let maxTokens = 20; maxTokens < 60; maxTokens += 1) {
    const cut = cutText('😀'.repeat(1000), { maxTokens, tokensOf: byFours });
    expect(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(cut ?? '')).toBe(
      false,
    );
  }
});

test('if not even the marker fits, there is no cut', () => {
  expect(cutText('a b c d e f g h i j k', { maxTokens: 2, tokensOf: byWords })).toBeUndefined();
});

test('for any text and counter, the cut text fits its tokens and consists of both ends', () => {
  const uneven = (text: string) => [...text].reduce((sum, letter) => sum + (letter > 'm' ? 3 : 0.2), 0);
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint, maxLength: 3000 }),
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom(byWords, byFours, uneven),
      (text, maxTokens, tokensOf) => {
        const cut = cutText(text, { maxTokens, tokensOf, marker: ({ tokens }) => `<${tokens}>` });
        if (cut === undefined || cut === text) return;
        expect(tokensOf(cut)).toBeLessThanOrEqual(maxTokens);
        const [head = '', tail = ''] = cut.split(/\n?<[\d.]+>\n?/);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      },
    ),
  );
});
