/** The README's table: what a model answers about a compressed conversation. */

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
  'default pipeline': '**ctx, default pipeline, no model**',
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
    `${most} recorded sessions of coding agents were cut at ${tokensText(Math.round(tokens / 1000) * 1000)} tokens on average and compressed. A model that saw only the result answered`,
    `${Math.round(questions)} questions about each, graded blind. Points of 100 with the standard error over the sessions; a wrong answer counts −1 ([the exam](docs/guide/exam.md)).`,
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

const modelNames = {
  'claude-opus-5': 'Claude Opus 5: $5, cache read at 0.1',
  'claude-opus-5-5': 'Claude Opus 5.5: $4, read at 0.05',
  'claude-fable-5-1': 'Claude Fable 5.1: $10, read at 0.025',
};

/** @param money what `npx tsx examples/benchmarks/money.ts --record` wrote */
export function moneyTable({ rows, sessions }) {
  const unique = (key) => [...new Set(rows.map((row) => row[key]))];
  const dollars = (amount) => `$${amount.toFixed(amount < 10 ? 2 : 0)}`;
  const cell = ({ dollars: own, dollarsWithout, compressions }) =>
    compressions === 0 ? `${dollars(own)} either way` : `${dollars(dollarsWithout)} → ${dollars(own)}`;
  return table(
    [`without ctx → with it, n = ${sessions}`, ...unique('calls').map((calls) => `${calls} calls`)],
    unique('model').map((model) => [
      modelNames[model],
      ...rows.filter((row) => row.model === model).map(cell),
    ]),
  );
}
