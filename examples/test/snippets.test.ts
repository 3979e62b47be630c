import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
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

const inNode = snippets.filter(({ inJest, notRun }) => !inJest && notRun === undefined);
describe('a snippet runs:', () => {
  const all = join(written, 'all.mjs');
  let said = '';
  /** In one process, as most of the time goes into loading. */
  beforeAll(() => {
    const names = inNode.map(({ file }) => `./${relative(written, file)}`);
    writeFileSync(
      all,
      `${servers}for (const name of ${JSON.stringify(names)}) await import(name).then(() => console.error('ran ' + name), (error) => console.error('failed ' + name, error));
process.exit();`,
    );
    said = run(['--import', import.meta.resolve('tsx'), all], folder).said;
  });

  test.each(inNode.map(({ place, file }) => [place, file]))('%s', (_place, file) => {
    const name = `./${relative(written, file)}`;
    expect(said.includes(`ran ${name}\n`) ? 'ran' : said).toBe('ran');
  });
});

for (const { place, notRun } of snippets) {
  if (notRun !== undefined) test.skip(`${place} (skipped: ${notRun})`, () => {});
}

for (const { place, file, inJest } of snippets) {
  if (inJest) describe(`${place}, in jest`, () => void require(file));
}
