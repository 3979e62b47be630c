/** The README's tables: what readers answer about a compressed conversation, how agents fare at work, and what it costs. */

export const table = (head, rows) =>
  [head, ['---', ...head.slice(1).map(() => '--:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

export const withError = ({ mean, error }) =>
  `${mean.toFixed(1)}${error === undefined || error === null ? '' : ` ± ${error.toFixed(1)}`}`;
export const tokensText = (tokens) => Number(tokens).toLocaleString('en-US');

/** What each kind of candidate is, for a reader who knows none of them. */
const names = {
  'condense with the summary': 'ctx, `condense`: a model’s own summary and the excerpt in the rest',
  'summary and newest': 'a model’s own summary and the newest messages, as agents do today',
  'default pipeline': '**ctx, default pipeline: no model**',
  'head and tail of results': 'head and tail of old tool results',
  'keep-last': 'the newest messages',
};

/** @param exam what `--answers --record` wrote: rows of candidates, with the mean questions and tokens of a session */
export function examTable({ rows, questions, tokens }) {
  const sizes = [...new Set(rows.flatMap(({ budget }) => budget ?? []))].sort((a, b) => b - a);
  const candidates = [...new Set(rows.map(({ candidate }) => candidate))];
  const most = Math.max(...rows.map(({ points }) => points.sessions));
  const of = (candidate, size) =>
    rows.find((row) => row.candidate === candidate && row.budget === size)?.points;
  const cell = (points) => {
    if (points === undefined) return '–';
    return points.sessions === most ? withError(points) : `${withError(points)} (n ${points.sessions})`;
  };
  const sorted = candidates.toSorted(
    (one, other) => (of(other, sizes[0])?.mean ?? 101) - (of(one, sizes[0])?.mean ?? 101),
  );
  return [
    `${most} recorded sessions of coding agents were cut at ${tokensText(Math.round(tokens / 1000) * 1000)} tokens on average and compressed. A language model that saw only the view answered`,
    `${Math.round(questions)} questions about each: what is needed next, what is done and left, what the user wants, what was superseded. Somebody who had read the whole session, and what the`,
    'agent did next, wrote the questions; the answers were graded blind. Points of 100, with the standard error over the sessions; a wrong answer counts −1.',
    '([How to hold one](docs/guide/exam.md) about sessions of yours.)',
    '',
    table(
      [`n = ${most}`, ...sizes.map((size) => `in ${tokensText(size)}`)],
      sorted.map((candidate) => [
        names[candidate] ?? candidate,
        ...sizes.map((size) => cell(of(candidate, size) ?? of(candidate, undefined))),
      ]),
    ),
  ].join('\n');
}

/** Windows that are shown, as shares of what a session needs. */
const shares = [1 / 2, 1 / 3, 1 / 5, 1 / 8];

export function loopTable({ compared, loop, cycles }) {
  const shown = shares.filter((share) => loop.some((row) => row.share === share));
  const requests = (row) => {
    if (row === undefined) return '–';
    return row.ended === row.scenarios ? row.requests.toFixed(2) : `${row.ended} of ${row.scenarios} end`;
  };
  const rows = compared.flatMap((candidate) => {
    const own = loop.filter((row) => row.candidate === candidate);
    if (own.length === 0) return [];
    const cycle = cycles?.find((row) => row.candidate === candidate);
    return [
      [
        candidate,
        ...shown.map((share) => requests(own.find((row) => row.share === share))),
        own.reduce((sum, row) => sum + row.blindEdits, 0),
        cycle === undefined ? '–' : `${cycle.rulesKept} of ${cycle.rules}`,
      ],
    ];
  });
  return [
    'In the loop: how many requests scripted agents needed, which know only what a request shows, in a part of the window that they need, relative to no limit.',
    '“Blind edits” were made without seeing the file. “Rules” were said once, and are counted after 100 compressions.',
    '',
    table(['', ...shown.map((share) => `1/${Math.round(1 / share)}`), 'blind edits', 'rules'], rows),
  ].join('\n');
}

export function costTable({ compared, replays }) {
  const rows = compared.flatMap((candidate) => {
    const row = replays.find((one) => one.candidate === candidate);
    return row === undefined ? [] : [[candidate, row.cost.mean.toFixed(2), withError(row.missRate)]];
  });
  const [first] = replays;
  return [
    `Cost of the input with prompt caching, relative to no compression, over ${first?.sessions ?? 0} whole sessions in a window of ${tokensText(first?.limit ?? 0)} tokens, and how often something`,
    'that the agent used was missing from the request.',
    '',
    table(['', 'cost', 'misses %'], rows),
  ].join('\n');
}

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
];
/** Tokens: the window that the README shows costs of. */
const replayLimit = 64_000;

/**
 * What the README says of what was recorded: the exam, the loop and the cost.
 * @param results of `npm run bench -- --record`
 * @param exam of `npm run bench -- --exam DIR --answers --record`
 */
export function readmeFigures({ loop, cycles, replays }, exam) {
  const known = { compared, loop, cycles, replays: replays.filter(({ limit }) => limit === replayLimit) };
  return [examTable(exam), loopTable(known), costTable(known)].join('\n\n');
}

/** A table of `npm run bench:speed -- --record`. */
export function speedTable({ figures, title }) {
  const rows = figures.map(({ what, measured, goal, reached }) => [
    what,
    measured,
    goal,
    reached ? 'yes' : 'no',
  ]);
  return `${table(['what', 'measured', 'goal', 'reached'], rows)}\n\n${title}`;
}
