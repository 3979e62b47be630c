import { finish, type ToolCallPart } from '@ctx/core';
import { TermIndex } from '../src/terms/term-index.js';
import { unitsOf } from '../src/units.js';
import { definitionWeight } from '../src/weights.js';

const code = 'export function check() {\n  throw new TypeError("error: 3 tests failed");\n}';

function weightsOf(input: ToolCallPart['input']): number[] {
  const call: ToolCallPart = { type: 'tool-call', toolCallId: '1', toolName: 'read', input };
  const block = { text: code, message: 0, voice: 'tool', call } as const;
  return [...finish(unitsOf(block, 0, new TermIndex()))].map(({ weight }) => weight);
}

describe('text in a source file about failures is not a failure', () => {
  test.each([
    ['path', { path: 'src/check.ts' }],
    ['file_path', { file_path: 'src/check.ts' }],
    ['args.file', { args: { file: 'src/check.ts' } }],
    ['files', { files: [{ path: 'src/check.ts' }] }],
    ['paths', { paths: ['src/check.ts', 'src/parse.ts'] }],
  ])('if %s names it', (_, input) => {
    expect(Math.max(...weightsOf(input))).toBe(definitionWeight);
  });

  test('but the same text in a log is one', () => {
    expect(Math.max(...weightsOf({ path: 'out.log' }))).toBeGreaterThan(1);
    expect(Math.max(...weightsOf({ command: 'npm test' }))).toBeGreaterThan(1);
  });
});

test.each([
  [
    'JSON in one line',
    JSON.stringify(
      Array.from({ length: 9 }, (_, at) => ({
        payment: `gift_card_613609${at}`,
        reservation: `K1NW8N-${at}`,
      })),
    ),
  ],
  ['a long line', Array.from({ length: 99 }, (_, at) => `see ticket_${10_000 + at}, then go on.`).join(' ')],
])('a part of %s begins and ends with whole words', (_, text) => {
  const units = finish(unitsOf({ text, message: 0, voice: 'tool' }, 0, new TermIndex()));
  expect(units.length).toBeGreaterThan(2);
  for (const { start, end } of units) {
    expect(text.slice(start - 1, start + 1)).not.toMatch(/^\w\w$/);
    expect(text.slice(end - 1, end + 1)).not.toMatch(/^\w\w$/);
  }
});
