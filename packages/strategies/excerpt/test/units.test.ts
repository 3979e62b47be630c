import { finish, type ToolCallPart } from '@ctx/core';
import { TermIndex } from '../src/terms/term-index.js';
import { unitsOf } from '../src/units.js';
import { favouredWeight } from '../src/weights.js';
import { unitsIn as allUnits } from './reading.js';

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
    expect(Math.max(...weightsOf(input))).toBe(favouredWeight);
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
  const units = allUnits(text);
  expect(units.length).toBeGreaterThan(2);
  for (const { start, end } of units) {
    expect(text.slice(start - 1, start + 1)).not.toMatch(/^\w\w$/);
    expect(text.slice(end - 1, end + 1)).not.toMatch(/^\w\w$/);
  }
});

describe('what a line opens is one unit with it', () => {
  const unitsIn = (text: string) => allUnits(text).map(({ start, end }) => text.slice(start, end));
  const point = 'export interface Point {\n  x: number;\n\n  y: number;\n}';
  const numbered = ' 7→export interface Point {\n 8→\tx: number;\n 9→}';
  const list = 'Before you go on, check these:\n\n- the tests\n- the linter\n  with all rules';

  test.each([
    ['a definition with its body', `let a;\n${point}\nlet b;`, ['let a;', point, 'let b;']],
    ['in a file whose lines are numbered', `${numbered}\n10→let b;`, [numbered, '10→let b;']],
    ['a sentence with the list that it introduces', `${list}\nThen go.`, [list, 'Then go.']],
    ['a list at the end', list, [list]],
    [
      'nothing by a sentence without a list',
      'Now look here:\nThen go on.',
      ['Now look here:', 'Then go on.'],
    ],
    [
      'nothing by a definition that is not closed',
      'class A {\n  b;\nlet c;',
      ['class A {', '  b;', 'let c;'],
    ],
  ])('%s', (_, text, units) => {
    expect(unitsIn(text)).toEqual(units);
  });

  test('unless it is long', () => {
    const fields = Array.from({ length: 60 }, (_, at) => `  field${at}: number;`);
    expect(unitsIn(`interface Large {\n${fields.join('\n')}\n}`)).toHaveLength(62);
  });
});

test('coordinates of a drawing name nothing, and an id does', () => {
  const termsIn = (text: string) => allUnits(text).flatMap(({ terms }) => terms);
  expect(termsIn('<path d="M9 12h6m-6 4h6m2 5H7a2 2 0 01-2-2V5a2 2 0 012-2h5" />')).toEqual([]);
  expect(termsIn('order a1b2c3d4e5f6 of M12 is late')).not.toEqual([]);
});
