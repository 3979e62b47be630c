/**
 * Writes what the README and the pages of docs generate between their markers, `<!-- name:start -->` … `<!-- name:end -->`, the picture, and
 * what snippets print.
 * Usage: node scripts/readme.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claims } from './claims.mjs';
import { picture } from './picture.mjs';
import { examTable, moneyTable, speedTable, withError } from './readme-figures.mjs';
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

/** Tokens that the views of the picture have. */
const pictured = 16_000;
const labels = {
  'condense with the summary': 'ctx with a model’s summary',
  'summary and newest': 'summary and newest messages',
  'default pipeline': 'ctx, no model',
  'head and tail of results': 'cut tool results',
  'keep-last': 'newest messages',
};

function examPicture() {
  const { rows, tokens } = exam();
  const bars = rows
    .filter(({ candidate, budget }) => budget === pictured && candidate in labels)
    .map(({ candidate, points }) => ({
      label: labels[candidate],
      value: points.mean,
      text: withError(points),
      isOurs: labels[candidate].startsWith('ctx'),
    }))
    .sort((one, other) => other.value - one.value);
  if (bars.length !== Object.keys(labels).length) throw new Error('The picture lacks a candidate.');
  const from = `${Math.round(tokens / 1000)},000`;
  const title = 'What a model still knows after a compression';
  const subtitle = `points of 100 in an exam, n = ${rows[0].points.sessions} sessions, ${from} tokens brought to ${pictured.toLocaleString('en-US')}`;
  return picture({ title, subtitle, bars });
}

const files = {
  'README.md': {
    claims: () => claims(results(), read('docs/adapters.md')),
    exam: () => examTable(exam()),
  },
  'docs/getting-started.md': {
    example: () =>
      `${fenced(read('examples/readme.ts'), 'ts')}\n\nprints\n\n${fenced(run('examples/readme.ts'))}`,
  },
  'docs/speed.md': { speed: () => speedTable(speed()) },
  'docs/guide/cost.md': {
    money: () => moneyTable(JSON.parse(read('examples/benchmarks/results/money.json'))),
  },
  'docs/results.md': { tables: () => resultTables(results()) },
};

mkdirSync(join(root, 'docs/images'), { recursive: true });
writeFileSync(join(root, 'docs/images/exam.svg'), examPicture());

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
