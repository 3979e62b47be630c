import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundled, demo, main } from '../demo.js';

const sharedData = join(__dirname, '../../../shared/data');
const real = existsSync(sharedData)
  ? readdirSync(sharedData, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  : [];

/** The cells of the table's rows, without the head. */
function rowsOf(report: string): string[][] {
  const lines = report.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const onlyResults = /^(tool-results|file-folding)/;

function expectSound(report: string): void {
  const rows = rowsOf(report);
  expect(rows.map(([strategy, share]) => `${strategy?.split(' ')[0]} ${share}`)).toEqual([
    'tool-results 50 %',
    'file-folding 50 %',
    'smart-truncation 50 %',
    'relevance 50 %',
    'importance 50 %',
    'condense 50 %',
    'middle-removal 50 %',
    'oldest-removal 50 %',
    'hybrid 50 %',
    'sliding-window 50 %',
    'default 50 %',
    'tool-results 25 %',
    'file-folding 25 %',
    'smart-truncation 25 %',
    'relevance 25 %',
    'importance 25 %',
    'condense 25 %',
    'middle-removal 25 %',
    'oldest-removal 25 %',
    'hybrid 25 %',
    'sliding-window 25 %',
    'default 25 %',
  ]);
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
  expect(report).toContain('the default pipeline is tool-results, relevance, file-folding, hybrid');
  expect(report).toContain('anthropic/claude-sonnet-4-5: oldest-removal');
});

test(`so are the real sessions${real.length === 0 ? ' (none are here, so nothing was compressed)' : ''}`, async () => {
  for (const file of real) expectSound(await demo(join(sharedData, file)));
});

test('a file that is no session is an error with its place, and not a crash', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'ctx-demo-')), 'broken.jsonl');
  writeFileSync(file, '{"role":"user","content":"hi"}\n{"role":');
  const said = jest.spyOn(console, 'error').mockImplementation(() => {});
  await main([file]);
  expect(process.exitCode).toBe(1);
  process.exitCode = 0;
  expect(said.mock.calls[0]?.[0]).toContain('broken.jsonl:2');
  said.mockRestore();
});
