import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ctx, didYouMean, temporaryFolder } from './run-ctx.js';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const exam = join(folder, 'exam');
const session = join(exam, 'each-session-once');
cpSync(join(__dirname, '../../../../examples/exam'), exam, { recursive: true });

const held = (...args: readonly string[]) => ctx(['bench', '--exam', exam, ...args], { cwd: folder });

test('the sessions may lie in a folder of that name', async () => {
  const around = mkdtempSync(join(folder, 'around-'));
  cpSync(session, join(around, 'sessions/one'), { recursive: true });
  const options = ['--budget', '8000', '--only', 'keep-last'];
  const { stdout } = await ctx(['bench', '--exam', around, ...options], { cwd: folder });
  expect(stdout).toContain('keep-last');
});

test('without readers an exam says which words of the answers the views hold', async () => {
  const { stdout, status } = await held('--only', 'keep-last', '--budget', '8k');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^### Evidence: /);
  expect(stdout.match(/^\| keep-last +\| +8,000 \|/gm)).toHaveLength(1);
});

test('with readers it writes views, then sheets, then the table of grades', async () => {
  const { stdout } = await held('--only', 'keep-last', '--budget', '8k', '--views');
  const [, view = ''] = /^each-session-once: (v\w+)$/m.exec(stdout) ?? [];
  expect(readFileSync(join(session, `${view}.txt`), 'utf8')).toContain('### ');
  expect(readFileSync(join(session, 'questions.txt'), 'utf8')).toMatch(/^1\. /);

  writeFileSync(join(session, `answers-${view}.json`), JSON.stringify([{ id: 1, answer: 'unknown' }]));
  const open = await held('--answers');
  expect(open.stderr).toContain('To be graded: exam/sheet-1-each-session-once.json');
  expect(open.stdout).toBe('');

  const labels = JSON.parse(readFileSync(join(exam, 'labels-1-each-session-once.json'), 'utf8')) as object;
  const grades = Object.fromEntries(Array.from({ length: 18 }, (_, at) => [at + 1, at === 0 ? 0 : 1]));
  writeFileSync(
    join(exam, 'grades-1-each-session-once.json'),
    JSON.stringify({ [Object.values(labels)[0] as string]: grades }),
  );
  const graded = await held('--answers', '--summary', 'exam.json');
  expect(graded.stdout).toMatch(/^\| keep-last +\| +8,000 \| +94\.4 \|/m);
  expect(JSON.parse(readFileSync(join(folder, 'exam.json'), 'utf8'))).toMatchObject({
    questions: 18,
    rows: [{ candidate: 'keep-last', budget: 8_000, points: { sessions: 1, count: 18 } }],
  });
});

test('a session is cut for one, and the folder is created', async () => {
  const own = join(folder, 'own');
  const { stdout } = await ctx(['bench', '--exam', own, '--prepare', didYouMean, '--prefix', '6k'], {
    cwd: folder,
  });
  expect(stdout).toMatch(/^own\/did-you-mean\.anthropic: \d+ messages, [345],\d{3} tokens\./);
  const files = readdirSync(join(own, 'did-you-mean.anthropic')).sort();
  expect(files).toEqual(['full.txt', 'future.txt', 'prefix.json']);
});

test('a folder without cut sessions is an error that says what to do', async () => {
  const { stderr, status } = await ctx(['bench', '--exam', join(folder, 'nothing')]);
  expect(status).not.toBe(0);
  expect(stderr).toContain('--prepare');
});
