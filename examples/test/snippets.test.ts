import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root, writeSnippets, written } from '../snippets/snippets.js';

const snippets = writeSnippets();
const sessions = join(root, 'examples/sessions');

/** Where they run: with the files that they read. */
const folder = join(root, 'examples/.ctx/work');
mkdirSync(join(folder, 'src'), { recursive: true });
cpSync(sessions, join(folder, 'examples/sessions'), { recursive: true });
cpSync(join(sessions, 'did-you-mean.anthropic.jsonl'), join(folder, 'sessions/one.jsonl'));
cpSync(join(sessions, 'late-check.openai.jsonl'), join(folder, 'session.jsonl'));
cpSync(join(root, 'package.json'), join(folder, 'package.json'));
writeFileSync(join(folder, 'src/app.ts'), 'class App {}\nfunction start() {}\n');
writeFileSync(join(folder, 'src/app.py'), 'def start():\n    pass\n');

function run(args: readonly string[], cwd: string) {
  const env = { ...process.env, TSX_TSCONFIG_PATH: join(written, 'tsconfig.json') };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env });
  return { status, said: `${stdout}${stderr}` };
}

test('every document with snippets is read', () => {
  expect(new Set(snippets.map(({ place }) => place.split('/')[0]?.split(':')[0]))).toEqual(
    new Set(['README.md', 'docs', 'packages']),
  );
});

test.each(['true', 'false'])(
  'the types of every snippet are right, with the SDKs of the providers and exactOptionalPropertyTypes %s',
  (exact) => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, '-p', written, '--exactOptionalPropertyTypes', exact];
    expect(run(args, root)).toEqual({ status: 0, said: '' });
  },
);

/** Starts strict servers, and puts their addresses where the SDKs look for them. */
const servers = `
import { startAnthropicServer, startGeminiServer, startOpenAiServer } from '@ctx/testing';
const [openai, anthropic, google] = await Promise.all([startOpenAiServer(), startAnthropicServer(), startGeminiServer()]);
Object.assign(process.env, {
  OPENAI_BASE_URL: openai.url + '/v1', OPENAI_API_KEY: 'none',
  ANTHROPIC_BASE_URL: anthropic.url, ANTHROPIC_API_KEY: 'none',
  GOOGLE_GEMINI_BASE_URL: google.url, GEMINI_API_KEY: 'none',
});
`;

/** Runs snippets one after the other in one process, as most of the time goes into loading, and keeps what each prints. */
const runner = (names: readonly string[], ran: string) => `
import { writeFileSync } from 'node:fs';
import { formatWithOptions } from 'node:util';
${servers}
const ran = {};
let printed = [];
console.log = (...values) => printed.push(formatWithOptions({ colors: false }, ...values));
for (const name of ${JSON.stringify(names)}) {
  printed = [];
  const problem = await import(name).then(() => undefined, (error) => String(error?.stack ?? error));
  ran[name] = { problem, printed: printed.join('\\n') };
}
writeFileSync(${JSON.stringify(ran)}, JSON.stringify(ran));
process.exit();
`;

interface Ran {
  readonly problem?: string;
  readonly printed: string;
}

const inNode = snippets.filter(({ inJest, notRun }) => !inJest && notRun === undefined);
describe('a snippet runs:', () => {
  const nameOf = (file: string) => `./${relative(written, file)}`;
  const outcomes = join(written, 'ran.json');
  let ran: Readonly<Record<string, Ran>> = {};
  let said = '';
  beforeAll(() => {
    const all = join(written, 'all.mjs');
    const names = inNode.map(({ file }) => nameOf(file));
    rmSync(outcomes, { force: true });
    writeFileSync(all, runner(names, outcomes));
    said = run(['--import', import.meta.resolve('tsx'), all], folder).said;
    if (existsSync(outcomes)) ran = JSON.parse(readFileSync(outcomes, 'utf8'));
  });

  test.each(inNode.map(({ place, file, prints }) => [place, file, prints]))('%s', (_place, file, prints) => {
    const outcome = ran[nameOf(String(file))] ?? { problem: said, printed: '' };
    expect(outcome.problem).toBeUndefined();
    if (prints !== undefined) expect(outcome.printed).toBe(prints);
  });
});

for (const { place, notRun } of snippets) {
  if (notRun !== undefined) test.skip(`${place} (skipped: ${notRun})`, () => {});
}

for (const { place, file, inJest } of snippets) {
  if (inJest) describe(`${place}, in jest`, () => void require(file));
}
