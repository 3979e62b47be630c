import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Io } from '@ctx/cli';
import { providerMeasure } from '../src/context/provider-measure.js';
import { progressOn } from '../src/terminal/progress.js';
import { percent, shownLine } from '../src/terminal/shown.js';
import { shortened, tableOf } from '../src/terminal/table.js';
import { ctx, sessionWith } from './run-ctx.js';

test('a table is no wider than the terminal: its flexible column loses its middle', () => {
  const columns = [
    { title: 'what', isFlexible: true },
    { title: 'tokens', align: 'right' as const },
  ];
  const rows = [
    ['result of read packages/core/src/manager/context-manager.ts', '12,345'],
    ['日本語のとても長い名前のファイルです.ts', '7'],
  ];
  for (const width of [30, 40, 80]) {
    const lines = tableOf(columns, rows, { width }).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(lines[1]).toMatch(/^resu.*manager\.ts +12,345$/);
    expect(lines[2]).toMatch(/ 7$/);
  }
  const marked = tableOf(columns, rows, { width: 40, marked: (text) => `\u001b[31m${text}\u001b[39m` });
  expect(stripVTControlCharacters(marked)).toBe(tableOf(columns, rows, { width: 40 }));
});

test('a text keeps its beginning and its end, in columns and not in characters', () => {
  expect(shortened('result of read src/app.ts', 15)).toBe('resul…rc/app.ts');
  expect(shortened('short', 15)).toBe('short');
  expect(shortened('漢字漢字漢字漢字', 9)).toBe('漢…字漢字');
});

test('what is shown has no control characters and no word that turns around', () => {
  expect(shownLine('a\u001b[31mb\u0007\u202ec\u0085d\n e')).toBe('a [31mb c d e');
  expect([percent(0), percent(0.001), percent(0.5)]).toEqual(['0 %', '< 1 %', '50 %']);
});

test.each([
  ['context', ['--json', '--quick']],
  ['context', ['--quick']],
  ['context', []],
  ['compress', ['--to', '50%', '--json']],
  ['compress', ['--to', '50%']],
])(
  'ctx %s %j prints nothing that turns text around, ends a line or commands a terminal',
  async (command, options) => {
    const text = 'needle \u202e\u2028\u2029\u0085\u200b\u{e0001}\u001b[31m\ud800 end';
    const messages = [
      { role: 'user', content: text },
      ...Array.from({ length: 9 }, (_, at) => ({
        role: ['assistant', 'user'][at % 2],
        content: `${text} ${at}`,
      })),
    ];
    const { stdout, stderr } = await ctx([command, ...options, sessionWith(messages)]);
    expect(stdout).toContain('needle');
    expect(`${stdout}${stderr}`).not.toMatch(/[^\P{C}\n\t]|[\u2028\u2029]/u);
    if (options.includes('--json') && command !== 'context')
      expect(JSON.stringify(JSON.parse(stdout))).toContain('\u202e');
  },
);

/** A terminal that keeps what is drawn on it. */
function screen() {
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, cursorTo: () => true });
  let drawn = '';
  output.on('data', (chunk) => {
    drawn += chunk;
  });
  return { output, drawn: () => drawn };
}

test('long work draws a bar with the time to go, and clears it; short work draws nothing', () => {
  const { output, drawn } = screen();
  let now = 0;
  const io = { screen: output, now: () => now, err: () => undefined } as unknown as Io;
  const short = progressOn(io, 'counting');
  short.step('a', 0.5);
  short.done();
  expect(drawn()).toBe('');
  const progress = progressOn(io, 'replaying');
  for (const done of [0, 0.25, 0.5]) {
    now += 10_000;
    progress.step('relevance', done);
  }
  progress.done();
  expect(drawn()).toContain('replaying');
  // 30 s for a half.
  expect(drawn()).toMatch(/30 s to go relevance/);
});

const said = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'x' }) as const,
  );
const measured = (reports: readonly (readonly [index: number, inputTokens: number])[], tokens = 100) =>
  providerMeasure(
    {
      id: 's',
      format: 'pi',
      messages: said(20),
      skipped: [],
      leftOut: {},
      usage: reports.map(([index, inputTokens]) => ({
        ...{ index, inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
        ...{ provider: 'p', model: 'm', aborted: false },
      })),
    },
    20,
    () => tokens,
  );

test.each<[string, readonly (readonly [number, number])[]]>([
  ['one report', [[9, 5_000]]],
  [
    'reports that make no sense',
    [
      [1, 100],
      [5, 90_000],
      [9, 90_000],
    ],
  ],
  [
    'reports of one size',
    [
      [9, 5_000],
      [9, 5_000],
      [9, 5_000],
    ],
  ],
])('%s is taken as it is: everything more than what is counted is hidden', (_what, reports) => {
  const { factor, hidden, reported } = measured(reports) ?? {};
  expect(factor).toBe(1);
  expect(hidden).toBe((reported?.tokens ?? 0) - 900);
});

test('a provider that counts less than the file holds hides nothing', () => {
  const { factor = 0, hidden } = measured([[9, 450]]) ?? {};
  expect([factor, hidden]).toEqual([0.5, 0]);
  expect(measured([])).toBeUndefined();
});

test('reports of requests that were made smaller on their way say nothing of the file', () => {
  const until = [1, 5, 9].map((index) => [index, 3_000 + 1.3 * 100 * index] as const);
  const compressed = measured([...until, [11, 1_900], [15, 2_200], [19, 2_600]]);
  expect(compressed).toMatchObject({ hidden: 3_000, isExplained: false });
  expect(compressed?.factor).toBeCloseTo(1.3);
  expect(compressed?.reported).toEqual({ tokens: 2_600, index: 19 });
  // What compresses each request a little never makes one much smaller than the one before.
  const even = Array.from({ length: 17 }, (_, index): [number, number] => [index + 1, 900]);
  expect(measured(even)).toMatchObject({ factor: 1, hidden: 500, isExplained: false });
  expect(measured([[19, 500]])).toMatchObject({ factor: 1, hidden: 0, isExplained: false });
});
