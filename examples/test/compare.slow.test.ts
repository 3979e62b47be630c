import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, merged } from '../benchmarks/compare.js';
import { saidBy } from './said-by.js';

const root = join(__dirname, '../..');
const session = join(root, 'examples/sessions/did-you-mean.anthropic.jsonl');
const folder = mkdtempSync(join(tmpdir(), 'ctx-compare-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the comparison in a process of its own. */
function compare(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(root, 'examples/benchmarks/compare.ts'), ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    },
  );
  return { status, stdout, stderr };
}

test('a record of some candidates replaces their rows and keeps those of the others, each with its day', () => {
  const recorded = {
    cuts: 4,
    overall: [
      { candidate: 'ours', figure: 1 },
      { candidate: 'theirs', figure: 2 },
    ],
    loop: [{ candidate: 'theirs', ended: 2 }],
    recorded: { ours: '2026-01-01', theirs: '2026-01-01' },
  };
  const newer = {
    cuts: 4,
    overall: [{ candidate: 'ours', figure: 3 }],
    loop: [{ candidate: 'ours', ended: 1 }],
    differences: [{ candidate: 'theirs', against: 'ours' }],
  };
  expect(merged(recorded, newer, '2026-02-02')).toEqual({
    cuts: 4,
    overall: [
      { candidate: 'theirs', figure: 2 },
      { candidate: 'ours', figure: 3 },
    ],
    loop: [
      { candidate: 'theirs', ended: 2 },
      { candidate: 'ours', ended: 1 },
    ],
    recorded: { ours: '2026-02-02', theirs: '2026-01-01' },
  });
});

test('a session is compared: a table is printed, and all tables and the cuts are written if requested', () => {
  const json = join(folder, 'cuts.json');
  const markdown = join(folder, 'tables.md');
  const written = ['--json', json, '--markdown', markdown];
  const { status, stdout } = compare(session, '--only', 'keep-last,importance', ...written);
  expect(status).toBe(0);

  const [measured = ''] = stdout.split('\n');
  expect(measured).toMatch(/^1 conversation of 1 source, cut in \d places, and brought to a half/);
  const rowsOf = (text: string) =>
    text.split('\n').filter((line) => /^\| (keep-last|importance) /.test(line));
  expect(stdout.match(/^### /gm)).toHaveLength(1);
  expect(rowsOf(stdout)).toHaveLength(2);
  const tables = readFileSync(markdown, 'utf8');
  for (const title of ['What is left of what the agent needs next', 'Usable-ctx at 12.5 %, by source'])
    expect(tables).toContain(`### ${title}`);
  // The headline, soundness, and three budgets by source.
  expect(rowsOf(tables).length).toBeGreaterThanOrEqual(2 * 5);
  expect(stdout).not.toContain('oldest-removal');

  const cuts = JSON.parse(readFileSync(json, 'utf8')) as {
    candidate: string;
    session: string;
    share: number;
  }[];
  expect(new Set(cuts.map(({ candidate }) => candidate))).toEqual(new Set(['keep-last', 'importance']));
  expect(new Set(cuts.map(({ share }) => share))).toEqual(new Set([0.5, 0.25, 0.125]));
  expect(new Set(cuts.map((one) => one.session)).size).toBe(1);
});

const ran = (...args: readonly string[]) => saidBy(main, args, { cwd: folder });

test('a half can be measured alone, without replays', async () => {
  const options = [session, '--only', 'keep-last', '--static', '--half'];
  const [tune, report] = [await ran(...options, 'tune'), await ran(...options, 'report')];
  for (const { stdout, status } of [tune, report]) {
    expect(stdout).toMatch(/^\| keep-last /m);
    expect(stdout).not.toContain('Replay');
    expect(status).toBe(0);
  }
  expect(tune.stdout).not.toBe(report.stdout);
});

test('many compressions of one conversation can be measured alone', async () => {
  const { stdout, status } = await ran(session, '--only', 'keep-last', '--cycles');
  expect(stdout.match(/^###.*/gm)).toEqual([expect.stringMatching(/^### One conversation, compressed/)]);
  expect(status).toBe(0);
});

test('facts that were said once can be measured alone, without sessions', async () => {
  const { stdout, status } = await ran('--only', 'keep-last', '--planted');
  expect(stdout.match(/^###.*/gm)).toEqual(
    ['repeats', 'of many forms'].flatMap((noise) =>
      ['23.5', '10', '5'].map((share) =>
        expect.stringMatching(`^### Planted facts in noise.* ${noise}: .* in ${share} % `),
      ),
    ),
  );
  expect(status).toBe(0);
});

test('a file of a folder that can not be read is named and skipped', async () => {
  const mixed = join(folder, 'mixed');
  mkdirSync(mixed);
  cpSync(session, join(mixed, 'session.jsonl'));
  writeFileSync(join(mixed, 'meeting.json'), '{"speaker":"ada","content":"hi"}');
  const { status, stdout, stderr } = await ran(mixed, '--only', 'keep-last');
  expect(stderr).toMatch(/^Skipped: .*format.*meeting\.json/m);
  expect(stdout).toMatch(/^1 conversation of 1 source/);
  expect(status).toBe(0);
});

test('an error ends the process with its exit code and without a stack', () => {
  const { status, stdout, stderr } = compare('nowhere.jsonl');
  expect(status).toBe(3);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(stdout).toBe('');
});

describe('with an exit code it says what to do', () => {
  const [empty, short] = [join(folder, 'empty'), join(folder, 'short.jsonl')];
  beforeAll(() => {
    mkdirSync(empty);
    writeFileSync(short, '{"role":"user","content":"src/a.ts"}\n{"role":"assistant","content":"src/a.ts"}\n');
  });

  test.each<[string, number, string[], string]>([
    ['an empty folder', 3, [empty], 'No session was found'],
    ['a name that nothing has', 2, [session, '--only', 'keep-first'], '"keep-last"?'],
    ['a record of some sessions', 2, [session, '--record'], 'leave --record'],
    ['a half that there is not', 2, ['--half', 'test'], 'There are: tune, report'],
    ['a short session', 3, [short, '--only', 'keep-last'], '3,000 tokens'],
  ])('for %s', async (_what, code, args, said) => {
    const { status, stdout, stderr } = await ran(...args);
    expect({ status, stdout, stderr }).toEqual({
      status: code,
      stdout: '',
      stderr: expect.stringContaining(said),
    });
  });
});
