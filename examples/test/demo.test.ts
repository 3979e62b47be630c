import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundled } from '../demo.js';
import { demo, expectSound, onlyResults, ran, rowsOf } from './demo-report.js';

const temporary = mkdtempSync(join(tmpdir(), 'ctx-demo-'));
afterAll(() => rmSync(temporary, { recursive: true }));

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

/** Much shorter. */
const short = join(dirname(bundled), '../../sessions/did-you-mean.anthropic.jsonl');

test('the six that keep most of what was used next are shown for each size, the best first', async () => {
  const ofShort = await demo(short, '--all');
  const rows = rowsOf(await demo(short));
  expect(rows.map(([, to]) => to)).toEqual([...Array(6).fill('50 %'), ...Array(6).fill('25 %')]);
  for (const share of ['50 %', '25 %']) {
    const within = (table: readonly string[][]) =>
      table.filter(([, to, tokens]) => to === share && tokens?.includes('(over)') === false);
    const figures = within(rows).map(([, , , usedNext = '']) => Number.parseInt(usedNext, 10));
    expect(figures).toEqual([...figures].sort((a, b) => b - a));
    const all = within(rowsOf(ofShort)).map(([, , , usedNext = '']) => Number.parseInt(usedNext, 10));
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
