/**
 * Writes what the README and the pages of docs generate between their markers, `<!-- name:start -->` … `<!-- name:end -->`, the picture, and
 * what snippets print.
 * Usage: node scripts/readme.mjs [path of a real session for the demo]; without one the demo's block stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { badge } from './badge.mjs';
import { claims } from './claims.mjs';
import { picture } from './picture.mjs';
import { readmeFigures, speedTable } from './readme-figures.mjs';
import { csvFiles, resultTables } from './results-figures.mjs';
import { root } from './tools.mjs';

function run(script, args = [], cwd = root) {
  return execFileSync(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(root, script), ...args],
    {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, TSX_TSCONFIG_PATH: join(root, 'tsconfig.json') },
    },
  ).trim();
}

const read = (path) => readFileSync(join(root, path), 'utf8').trim();
const fenced = (text, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;

const results = () => JSON.parse(read('examples/benchmarks/results/compare.json'));
const speed = () => JSON.parse(read('examples/benchmarks/results/speed.json'));

const exam = () => JSON.parse(read('examples/benchmarks/results/exam.json'));

/** What the picture compares, at a quarter of the tokens. */
const shown = {
  'default pipeline': 'ctx, default pipeline',
  condense: 'ctx, condense',
  'observation masking': 'observation masking',
  'AI SDK pruneMessages': 'AI SDK pruneMessages',
  'keep-last': 'the newest messages',
  'LangChain ClearToolUsesEdit': 'LangChain ClearToolUsesEdit',
  'LangChain trimMessages': 'LangChain trimMessages',
};
const quarter = 0.25;

function kept() {
  const bars = results()
    .overall.filter(({ candidate, share }) => share === quarter && candidate in shown)
    .map(({ candidate, kind, usableCtx }) => ({
      label: shown[candidate],
      value: usableCtx.mean,
      isOurs: kind === 'ctx',
    }))
    .sort((one, other) => other.value - one.value);
  if (bars.length !== Object.keys(shown).length) throw new Error('The picture lacks a candidate.');
  const title = 'What an agent needs next, and still has';
  const subtitle = 'when its conversation is cut to a quarter of its tokens';
  return picture({ title, subtitle, bars });
}

function demo() {
  const [path] = process.argv.slice(2);
  if (path === undefined || !existsSync(path)) return undefined;
  const cwd = dirname(resolve(path));
  return `\`npm run demo -- ${basename(path)}\` prints\n\n${fenced(run('examples/demo.ts', [basename(path)], cwd))}`;
}

const files = {
  'README.md': {
    claims: () => claims(results(), read('docs/adapters.md')),
    exam: () => readmeFigures(results(), exam()),
  },
  'docs/getting-started.md': {
    example: () =>
      `${fenced(read('examples/readme.ts'), 'ts')}\n\nprints\n\n${fenced(run('examples/readme.ts'))}`,
    demo,
  },
  'docs/speed.md': { speed: () => speedTable(speed()) },
  'docs/results.md': { tables: () => resultTables(results()) },
};

mkdirSync(join(root, 'docs/images'), { recursive: true });
const { license, engines } = JSON.parse(read('package.json'));
const images = {
  kept: kept(),
  licence: badge('licence', license),
  node: badge('node', engines.node.replace('>=', '≥ ')),
  issues: badge('issues', 'report one'),
};
for (const [name, drawing] of Object.entries(images))
  writeFileSync(join(root, `docs/images/${name}.svg`), drawing);

for (const [name, text] of Object.entries(csvFiles(results(), exam(), speed())))
  writeFileSync(join(root, `docs/results/${name}`), text);

for (const [name, blocks] of Object.entries(files)) {
  const file = join(root, name);
  let text = readFileSync(file, 'utf8');
  for (const [block, write] of Object.entries(blocks)) {
    const begin = `<!-- ${block}:start -->\n`;
    const from = text.indexOf(begin) + begin.length;
    const to = text.indexOf(`<!-- ${block}:end -->`, from);
    if (!text.includes(begin) || to === -1) throw new Error(`${name} has no block "${block}"`);
    const content = write();
    if (content !== undefined) text = `${text.slice(0, from)}${content}\n${text.slice(to)}`;
  }
  writeFileSync(file, text);
  console.log(`${name} is up to date.`);
}

const changed = run('examples/snippets/record-prints.ts');
if (changed !== '') console.log(changed);
