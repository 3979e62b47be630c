import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { testWithFiles } from '@ctx/testing';
import { packagesIn } from '../../scripts/packages.cjs';
import { bundled, main } from '../demo.js';
import { saidBy } from './said-by.js';

/** Recorded by others and not part of the repository. */
const real = [
  'claude-code/agent-a7be2f0',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
  'pi/large-session',
];

const temporary = mkdtempSync(join(tmpdir(), 'ctx-demo-'));
afterAll(() => rmSync(temporary, { recursive: true }));

const ran = (...args: readonly string[]) => saidBy(main, args, { columns: 200, hasColor: false });

const demo = async (path: string, ...args: readonly string[]) => (await ran(path, ...args)).stdout;

/** The cells of the rows of a table, the first or the second, without the head. */
function rowsOf(report: string, table = 0): string[][] {
  const heads = [/^strategy +to /, /^model +profile /];
  const lines = report.split('\n');
  const start = lines.findIndex((line) => heads[table]?.test(line)) + 1;
  const end = lines.indexOf('', start);
  return lines.slice(start, end).map((line) => line.trim().split(/ {2,}/));
}

/** Every strategy that there is a package of, in the order of their names. */
const strategies = packagesIn(join(__dirname, '../..'))
  .map(({ name }) => name)
  .filter((name) => name.startsWith('strategy-'))
  .map((name) => name.slice('strategy-'.length))
  .sort();

const onlyResults = /^(tool-results|file-folding)/;

function expectSound(report: string): void {
  const rows = rowsOf(report);
  for (const share of ['50 %', '25 %'])
    expect(
      rows
        .filter(([, to]) => to === share)
        .map(([strategy]) => strategy?.split(' ')[0])
        .sort(),
    ).toEqual([...strategies, 'default'].sort());
  const before = Number(/^([\d,]+) tokens became/.exec(report)?.[1]?.replaceAll(',', ''));
  for (const [strategy, , after] of rows) {
    const figure = (cell = '') => Number(cell.replace(/,| \(over\)/g, ''));
    // A session without file reads or repeated results has nothing for these to clear.
    if (onlyResults.test(strategy as string)) expect(figure(after)).toBeLessThanOrEqual(before);
    else expect(figure(after)).toBeLessThan(before);
  }
  expect(report).toContain('What is left is valid for OpenAI and for Anthropic.\n');
}

let ofBundled: string;
beforeAll(async () => {
  ofBundled = await demo(bundled, '--all');
});

test('the bundled session is compressed by each strategy to half and to a quarter, validly for both providers', () => {
  expectSound(ofBundled);
  const over = rowsOf(ofBundled).filter((row) => row.join().includes('(over)'));
  expect(over.every(([strategy = '']) => onlyResults.test(strategy))).toBe(true);
  expect(ofBundled).toContain('the default, runs tool-results, relevance, file-folding, hybrid');
});

test('the six that keep most of what was used next are shown for each size, the best first', async () => {
  const rows = rowsOf(await demo(bundled));
  expect(rows.map(([, to]) => to)).toEqual([...Array(6).fill('50 %'), ...Array(6).fill('25 %')]);
  for (const share of ['50 %', '25 %']) {
    const within = (table: readonly string[][]) =>
      table.filter(([, to, tokens]) => to === share && tokens?.includes('(over)') === false);
    const figures = within(rows).map(([, , , usedNext = '']) => Number.parseInt(usedNext, 10));
    expect(figures).toEqual([...figures].sort((a, b) => b - a));
    const all = within(rowsOf(ofBundled)).map(([, , , usedNext = '']) => Number.parseInt(usedNext, 10));
    expect(figures).toEqual(all.slice(0, 6));
  }
});

test('what each strategy did is shown for each model and both profiles', () => {
  const rows = rowsOf(ofBundled, 1);
  const didFor = (model: string, profile: string) =>
    rows.find(([id, name]) => id === model && name === profile)?.[2];
  expect(rows).toHaveLength(10);
  expect(didFor('gpt-5', 'relevance')).toMatch(/relevance \d+/);
  expect(didFor('gpt-5', 'classic')).toMatch(/hybrid \((middle|oldest)-removal\) \d+$/);
  expect(didFor('o3', 'classic')).toMatch(/middle-removal \d+$/);
  expect(didFor('claude-sonnet-4-5', 'classic')).toMatch(/oldest-removal \d+$/);
  expect(didFor('llama3.1', 'classic')).toMatch(/hybrid/);
});

/** Characters of a real session. Twelve strategies, twice each, say no more about one five times as long. */
const enough = 200_000;

/** The first lines of a file, in a file of its own. */
function beginningOf(file: string): string {
  const text = readFileSync(file, 'utf8').slice(0, enough);
  const beginning = join(mkdtempSync(join(temporary, 'one-')), basename(file));
  writeFileSync(beginning, text.slice(0, text.lastIndexOf('\n')));
  return beginning;
}

describe.each(real)('a real session is, too: %s', (name) => {
  const file = join(__dirname, `../../../shared/data/${name}.jsonl`);
  testWithFiles('each strategy leaves it valid', [file], async () =>
    expectSound(await demo(beginningOf(file), '--all')),
  );
});

test('it begins with what happened in words, and ends with three lines for the own agent', () => {
  const lines = ofBundled.trimEnd().split('\n');
  expect(lines[0]).toMatch(
    /^[\d,]+ tokens became [\d,]+ with the default pipeline; of what the agent used next, \d+ % is there\.$/,
  );
  expect(lines.at(-5)).toBe('Three lines for your own agent:');
  expect(lines.slice(-3).join('\n')).toContain('new OpenAI({ fetch: contextFetch() })');
});

test('a file that is no session is an error with its place, and not a crash', async () => {
  const file = join(mkdtempSync(join(temporary, 'one-')), 'broken.jsonl');
  writeFileSync(file, '{"role":"user","content":"hi"}\n{"role":');
  const { status, stderr } = await ran(file);
  expect(status).toBe(3);
  expect(stderr).toContain('broken.jsonl:2');
  expect((await ran(file, '--lenient')).status).toBe(0);
});

test('of a folder every session is shown, and what can not be read is named and skipped', async () => {
  const folder = mkdtempSync(join(temporary, 'one-'));
  writeFileSync(join(folder, 'a-meeting.json'), '{"speaker":"ada","content":"hi"}');
  writeFileSync(
    join(folder, 'b-session.jsonl'),
    '{"role":"user","content":"hi"}\n{"role":"user","content":"and?"}',
  );
  cpSync(join(folder, 'b-session.jsonl'), join(folder, 'c-session.jsonl'));
  const { status, stdout, stderr } = await ran(folder);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Skipped: .*format.*a-meeting\.json.*\n$/);
  expect([...stdout.matchAll(/(\w)-session\.jsonl: a conversation/g)].map(([, name]) => name)).toEqual([
    'b',
    'c',
  ]);
});

test('a folder without a session is an error', async () => {
  const { status, stderr } = await ran(mkdtempSync(join(temporary, 'one-')));
  expect(status).toBe(3);
  expect(stderr).toContain('No session below');
});
