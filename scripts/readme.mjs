/**
 * Writes what README.md and docs/results.md generate between their markers: `<!-- name:start -->` … `<!-- name:end -->`.
 * Usage: node scripts/readme.mjs [path of a real session for the demo]; without one the demo's block stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
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

/** What the README compares; docs/results.md has all. */
const compared = [
  'relevance',
  'default pipeline',
  'importance',
  'condense',
  'LangChain trimMessages',
  'LangChain ClearToolUsesEdit',
  'AI SDK pruneMessages',
  'keep-last',
  'observation masking',
  'oracle of whole exchanges',
];
const replayLimit = 64_000;

function quality() {
  const { overall, replays } = results();
  const rows = compared.map((candidate) => {
    const cells = overall
      .filter((row) => row.candidate === candidate)
      .map(({ usableCtx }) => usableCtx.mean.toFixed(0));
    const replay = replays.find((row) => row.candidate === candidate && row.limit === replayLimit);
    const cost =
      replay === undefined ? ['–', '–'] : [replay.missRate.mean.toFixed(1), replay.cost.mean.toFixed(2)];
    return `| ${[candidate, ...cells, ...cost].join(' | ')} |`;
  });
  return ['| | 50 % | 25 % | 12.5 % | misses % | cost |', '|---|--:|--:|--:|--:|--:|', ...rows].join('\n');
}

const readme = {
  measured() {
    const { peers } = speed();
    const [messages, , before, counted, , , , trimBefore, trimOnce, trimEach] = peers.find(
      ([size]) => size === 1000,
    );
    const ms = (value) => `${Number(value).toLocaleString('en-US')} ms`;
    return `Bringing a conversation of ${Number(messages).toLocaleString('en-US')} messages to half of its tokens takes ${ms(counted)} if each message must be counted, and ${ms(before)} if they are counted already, as in a running agent. LangChain's \`trimMessages\` with the same tokenizer takes ${ms(trimOnce)} and ${ms(trimBefore)} with a counter that remembers each message. With a counter that does not remember it takes ${ms(trimEach)}, because LangChain asks for each message again and again.`;
  },
  example: () =>
    `${fenced(read('examples/readme.ts'), 'ts')}\n\nprints\n\n${fenced(run('examples/readme.ts'))}`,
  demo() {
    const [path] = process.argv.slice(2);
    if (path === undefined || !existsSync(path)) return undefined;
    const cwd = dirname(resolve(path));
    return `\`npm run demo -- ${basename(path)}\` prints\n\n${fenced(run('examples/demo.ts', [basename(path)], cwd))}`;
  },
  quality,
  speed: () => read('examples/benchmarks/results/speed.md'),
};

const files = {
  'README.md': readme,
  'docs/results.md': {
    tables: () => read('examples/benchmarks/results/compare.md'),
    excerpt: () => read('examples/benchmarks/results/excerpt.md'),
  },
};

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
