/**
 * Writes what the README and the pages of docs generate between their markers, `<!-- name:start -->` … `<!-- name:end -->`, the picture, and
 * what snippets print.
 * Usage: node scripts/readme.mjs [path of a real session for the demo]; without one the demo's block stays as it is.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { claims } from './claims.mjs';
import { picture } from './picture.mjs';
import { costTable, examTable, loopTable, withError } from './readme-figures.mjs';
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
  'keep-first-and-last',
  'observation masking',
  'oracle of whole exchanges',
];
const replayLimit = 64_000;

/** The exam, the loop and the cost, as soon as readers were graded: `npm run bench -- --exam DIR --answers --record`. */
function exam() {
  const path = 'examples/benchmarks/results/exam.json';
  if (!existsSync(join(root, path))) return '';
  const { loop, cycles, replays } = results();
  const known = { compared, loop, cycles, replays: replays.filter(({ limit }) => limit === replayLimit) };
  return [examTable(JSON.parse(read(path))), loopTable(known), costTable(known)].join('\n\n');
}

const cutsInWords = `Recorded sessions of agents were cut and brought to a half, a quarter and an eighth of their tokens. The first three columns say how much of what the agent
referred to next was still there: 100 is everything, in a context that is valid and within its budget. The last two columns are for whole sessions in a window
of 64,000 tokens: how often something needed was missing, with the standard error over 11 sessions, and what the input cost with prompt caching, relative to no
compression.`;

function quality() {
  if (exam() !== '') return '';
  const { overall, replays } = results();
  const rows = compared.map((candidate) => {
    const cells = overall
      .filter((row) => row.candidate === candidate)
      .map(({ usableCtx }) => usableCtx.mean.toFixed(0));
    const replay = replays.find((row) => row.candidate === candidate && row.limit === replayLimit);
    const cost =
      replay === undefined ? ['–', '–'] : [withError(replay.missRate), replay.cost.mean.toFixed(2)];
    return `| ${[candidate, ...cells, ...cost].join(' | ')} |`;
  });
  return [
    cutsInWords,
    '',
    '| | 50 % | 25 % | 12.5 % | misses % | cost |',
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

const editLimit = 32_000;
/** Windows that the README shows, as shares of what a session needs. */
const shownShares = [1 / 2, 1 / 3, 1 / 5, 1 / 8];

/** How agents fare at work; undefined as long as it was not recorded. */
function work() {
  const { replays, loop = [], cycles = [], planted = [] } = results();
  if (loop.length === 0) return undefined;
  if (exam() !== '') return '';
  const shares = shownShares.filter((share) => loop.some((row) => row.share === share));
  const rows = compared.flatMap((candidate) => {
    const replay = replays.find((row) => row.candidate === candidate && row.limit === editLimit);
    const own = loop.filter((row) => row.candidate === candidate);
    if (replay === undefined || own.length === 0) return [];
    const cycle = cycles.find((row) => row.candidate === candidate);
    const cells = [
      replay.editsWhole?.mean.toFixed(0) ?? '–',
      replay.looks > 0 ? ((100 * replay.looksWhole) / replay.looks).toFixed(0) : '–',
      ...shares.map((share) => requestsIn(own.find((row) => row.share === share))),
      own.reduce((sum, row) => sum + row.blindEdits, 0),
      ...(cycles.length === 0 ? [] : [cycle === undefined ? '–' : `${cycle.rulesKept} of ${cycle.rules}`]),
    ];
    return [`| ${[candidate, ...cells].join(' | ')} |`];
  });
  const windows = shares.map((share) => `1/${Math.round(1 / share)}`);
  const head = [
    '',
    'edits',
    'first look',
    ...windows,
    'blind edits',
    ...(cycles.length === 0 ? [] : ['rules']),
  ];
  return [
    'The same for an agent at work in a context of 32,000 tokens. “Edits” is the share of texts it replaced, and had seen, that were complete in its context. “First look”',
    'is the share of compressions that kept word for word what the agent had not read yet. The next columns say how many requests scripted agents needed, which know',
    'only what a request shows, in a half to an eighth of the window that they need, relative to no limit. “Blind edits” were made without seeing the file.',
    '',
    `| ${head.join(' | ')} |`,
    `|---|${head
      .slice(1)
      .map(() => '--:|')
      .join('')}`,
    ...rows,
    '',
    ...(cycles.length === 0 ? [] : ['“Rules” were said once, and are counted after 100 compressions.', '']),
    ...plantedSentence(planted),
    'What survives in a view is an upper bound: a model may still overlook it.',
  ].join('\n');
}

/** What users get without choosing is kept of facts that were said once; nothing as long as it was not recorded. */
function plantedSentence(planted) {
  const own = planted.filter(({ candidate }) => candidate === 'default pipeline');
  const kept = (rows) =>
    rows
      .map(({ share, facts }) => `${facts.kept} of ${facts.all} in ${Number((100 * share).toFixed(1))} %`)
      .join(', ');
  const varied = own.filter(({ set }) => set === 'varied');
  const others = varied.length === 0 ? '' : `; where the noise has many forms, ${kept(varied)}`;
  return own.length === 0
    ? []
    : [
        `Of facts said once among the noise of tools, the default pipeline keeps ${kept(own.filter(({ set }) => set !== 'varied'))} of the tokens${others}.`,
        '',
      ];
}

/** Mean requests where every agent came to its end. */
function requestsIn(row) {
  if (row === undefined) return '–';
  return row.ended === row.scenarios ? row.requests.toFixed(2) : `${row.ended} of ${row.scenarios} end`;
}

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

/** Tables of the candidates that were measured again since all were recorded. */
function again() {
  const path = 'examples/benchmarks/results/again.md';
  return existsSync(join(root, path)) ? read(path) : '';
}

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

function measured() {
  const { peers } = speed();
  const [messages, , before, counted, , , , trimBefore, trimOnce, trimEach] = peers.find(
    ([size]) => size === 1000,
  );
  const ms = (value) => `${Number(value).toLocaleString('en-US')} ms`;
  return `Bringing a conversation of ${Number(messages).toLocaleString('en-US')} messages to half of its tokens takes ${ms(counted)} if each message must be counted, and ${ms(before)} if they are counted already, as in a running agent. LangChain's \`trimMessages\` with the same tokenizer takes ${ms(trimOnce)} and ${ms(trimBefore)} with a counter that remembers each message. With a counter that does not remember it takes ${ms(trimEach)}, because LangChain asks for each message again and again.`;
}

function demo() {
  const [path] = process.argv.slice(2);
  if (path === undefined || !existsSync(path)) return undefined;
  const cwd = dirname(resolve(path));
  return `\`npm run demo -- ${basename(path)}\` prints\n\n${fenced(run('examples/demo.ts', [basename(path)], cwd))}`;
}

const files = {
  'README.md': { claims: () => claims(results(), read('docs/adapters.md')), exam, quality, work },
  'docs/getting-started.md': {
    example: () =>
      `${fenced(read('examples/readme.ts'), 'ts')}\n\nprints\n\n${fenced(run('examples/readme.ts'))}`,
    demo,
  },
  'docs/speed.md': { measured, speed: () => read('examples/benchmarks/results/speed.md') },
  'docs/results.md': {
    again,
    tables: () => read('examples/benchmarks/results/compare.md'),
    excerpt: () => read('examples/benchmarks/results/excerpt.md'),
  },
};

mkdirSync(join(root, 'docs/images'), { recursive: true });
writeFileSync(join(root, 'docs/images/kept.svg'), kept());

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
