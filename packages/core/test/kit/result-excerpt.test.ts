import { codePoint, wordCounter, words } from '@ctx/testing';
import fc from 'fast-check';
import { finish } from '../../src/base/slices.js';
import { resultExcerpt } from '../../src/kit/result-excerpt.js';

const countInSteps = function* (text: string) {
  yield;
  return wordCounter.count(text);
};

function excerptOf(
  text: string,
  given: { maxTokens?: number; asked?: string; firstLine?: number | undefined } = {},
) {
  return finish(
    resultExcerpt({
      text,
      tokens: wordCounter.count(text),
      maxTokens: 200,
      asked: '',
      handle: '#m7',
      firstLine: 1,
      recallTool: 'recall',
      countInSteps,
      ...given,
    }),
  );
}

const arbitraryLine = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'error: it failed',
    '# Part',
    'function go() {',
    '  return 1;',
    '',
    'x'.repeat(900),
    '{"a":[1,2,{"b":"c"}]}',
  ),
  fc.string({ unit: codePoint, maxLength: 30 }),
);
const arbitraryText = fc
  .array(arbitraryLine, { minLength: 30, maxLength: 120 })
  .map((lines) => lines.map((line) => line.replace(/[\n…]/g, ' ')).join('\n'));

test('each line of an excerpt is one of the result or parts of one, or says which lines are left out', () => {
  fc.assert(
    fc.property(arbitraryText, fc.integer({ min: 60, max: 400 }), (text, maxTokens) => {
      const excerpt = excerptOf(text, { maxTokens });
      expect(wordCounter.count(excerpt)).toBeLessThanOrEqual(maxTokens);
      const lines = text.split('\n');
      let at = 0;
      for (const line of excerpt.split('\n').slice(1)) {
        const [, from, to = from] = /^\[… #m7:(\d+)(?:-(\d+))? …\]$/.exec(line) ?? [];
        if (from !== undefined) {
          expect(Number(from)).toBe(at + 1);
          at = Number(to);
        } else {
          const said = lines[at] as string;
          if (line.includes('…')) for (const part of line.split(/ ?… ?/)) expect(said).toContain(part);
          else expect(said).toBe(line);
          at += 1;
        }
      }
      expect(at).toBe(lines.length);
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

test('parts of a long line that were asked for are found', () => {
  const items = Array.from({ length: 400 }, (_, id) => ({ id, name: `user ${id} of all` }));
  const excerpt = excerptOf(JSON.stringify(items), { asked: 'Who is user 271?', firstLine: undefined });
  expect(excerpt).toContain('"user 271 of all"');
  expect(excerpt).toMatch(/^\[In short: .*… 39\d items left out …/m);
});

test.each(['→', ': '])('the outline of a file with numbers and %j is that of its text', (sign) => {
  const body = Array.from({ length: 30 }, () => `    ${words(6)};`);
  const lines = Array.from({ length: 9 }, (_, at) => [`function part${at}() {`, ...body, '}']).flat();
  const numbered = lines.map((line, at) => `${String(at + 1).padStart(6)}${sign}${line}`).join('\n');
  const excerpt = excerptOf(numbered, { maxTokens: 400 });
  for (let at = 0; at < 9; at += 1) expect(excerpt).toContain(`${sign}function part${at}() {`);
});

test('a result without lines and without spaces is cut', () => {
  const text = 'é'.repeat(50_000);
  expect(
    finish(
      resultExcerpt({
        text,
        tokens: 50_000,
        maxTokens: 500,
        asked: '',
        handle: '#m1',
        firstLine: 1,
        recallTool: undefined,
        *countInSteps(some) {
          yield;
          return some.length;
        },
      }),
    ).length,
  ).toBeLessThanOrEqual(500);
});
