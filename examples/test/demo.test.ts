import { cpSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testWithFiles } from '@ctx/testing';
import { bundled, demo, main } from '../demo.js';

/** Recorded by others and not part of the repository. */
const real = [
  'claude-code/agent-a7be2f0',
  'openai-chat/swe-agent',
  'openai-chat/tau-bench-airline',
  'pi/large-session',
];

afterEach(() => jest.restoreAllMocks());

/** The cells of the rows of a table, the first or the second, without the head. */
function rowsOf(report: string, table = 0): string[][] {
  const tables = report.split(/\n\n/).filter((part) => part.startsWith('| '));
  const lines = (tables[table] ?? '').split('\n');
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Every strategy that there is a package of, in the order of their names. */
const strategies = readdirSync(join(__dirname, '../../packages'))
  .filter((name) => name.startsWith('strategy-'))
  .map((name) => name.slice('strategy-'.length))
  .sort();

const onlyResults = /^(tool-results|file-folding)/;

function expectSound(report: string): void {
  const rows = rowsOf(report);
  expect(rows.map(([strategy, share]) => `${strategy?.split(' ')[0]} ${share}`)).toEqual(
    ['50 %', '25 %'].flatMap((share) => [...strategies, 'default'].map((strategy) => `${strategy} ${share}`)),
  );
  for (const [strategy, , before, after, , , , openai, anthropic] of rows) {
    const figure = (cell = '') => Number(cell.replace(/,| \(over\)/g, ''));
    // A session without file reads or repeated results has nothing for these to clear.
    if (onlyResults.test(strategy as string)) expect(figure(after)).toBeLessThanOrEqual(figure(before));
    else expect(figure(after)).toBeLessThan(figure(before));
    expect([openai, anthropic]).toEqual(['yes', 'yes']);
  }
}

test('the bundled session is compressed by each strategy to half and to a quarter, validly for both providers', async () => {
  const report = await demo(bundled);
  expectSound(report);
  const over = rowsOf(report).filter((row) => row.join().includes('(over)'));
  expect(over.every(([strategy = '']) => onlyResults.test(strategy))).toBe(true);
  expect(report).toContain('the default, runs tool-results, relevance, file-folding, hybrid');
});

test('what each strategy did is shown for each model and both profiles', async () => {
  const rows = rowsOf(await demo(bundled), 1);
  const didFor = (model: string, profile: string) =>
    rows.find(([id, name]) => id === model && name === profile)?.[2];
  expect(rows).toHaveLength(10);
  expect(didFor('gpt-5', 'relevance')).toMatch(/relevance: \d+ edit/);
  expect(didFor('gpt-5', 'classic')).toMatch(/hybrid \((middle|oldest)-removal\): \d+ edits$/);
  expect(didFor('o3', 'classic')).toMatch(/middle-removal: \d+ edits$/);
  expect(didFor('claude-sonnet-4-5', 'classic')).toMatch(/oldest-removal: \d+ edits$/);
  expect(didFor('llama3.1', 'classic')).toMatch(/hybrid/);
});

describe.each(real)('a real session is, too: %s', (name) => {
  const file = join(__dirname, `../../../shared/data/${name}.jsonl`);
  testWithFiles('each strategy leaves it valid', [file], async () => expectSound(await demo(file)));
});

test('a file that is no session is an error with its place, and not a crash', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'ctx-demo-')), 'broken.jsonl');
  writeFileSync(file, '{"role":"user","content":"hi"}\n{"role":');
  const said = jest.spyOn(console, 'error').mockImplementation(() => {});
  await main([file]);
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
  expect(said.mock.calls[0]?.[0]).toContain('broken.jsonl:2');
});

test('of a folder every session is shown, and what can not be read is named and skipped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-demo-'));
  writeFileSync(join(folder, 'a-meeting.json'), '{"speaker":"ada","content":"hi"}');
  writeFileSync(
    join(folder, 'b-session.jsonl'),
    '{"role":"user","content":"hi"}\n{"role":"user","content":"and?"}',
  );
  cpSync(bundled, join(folder, 'c-session.jsonl'));
  const [said, printed] = [jest.spyOn(console, 'error'), jest.spyOn(console, 'log')];
  for (const spy of [said, printed]) spy.mockImplementation(() => {});
  await main([folder]);
  expect(process.exitCode ?? 0).toBe(0);
  expect(said.mock.calls).toEqual([[expect.stringMatching(/^Skipped: .*format.*a-meeting\.json/)]]);
  const shown = printed.mock.calls.map(([report]) => /(\w)-session\.jsonl: a conversation/.exec(report)?.[1]);
  expect(shown).toEqual(['b', 'c']);
});

test('a folder without a session is an error', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => {});
  await main([mkdtempSync(join(tmpdir(), 'ctx-demo-'))]);
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
  expect(said.mock.calls[0]?.[0]).toContain('No session below');
});
