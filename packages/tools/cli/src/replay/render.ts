import type { ReplayResult } from '@ctx/bench/measure';
import type { Io } from '../terminal/io.js';
import { counted, figure, paletteFor } from '../terminal/shown.js';
import { flexible, right, tableOf } from '../terminal/table.js';
import type { ReportedCost } from './reported-cost.js';
import type { Spent } from './request-scale.js';

interface Look {
  /** Of the whole session. */
  readonly tokens: number;
  /** Of a request. */
  readonly limit: number;
  /** Of the system prompt and the tools, as far as the file does not hold them. */
  readonly hidden: number;
  /** Those that answered, each at its own price. */
  readonly models: readonly string[];
  /** Of what is spent. */
  readonly unit: 'dollars' | 'input tokens';
  /** What the session has cost by the reports in its file, if there are any. */
  readonly reported?: ReportedCost;
}

/** The replays as a table, those with the fewest misses first. */
export function renderReplays(
  results: readonly (ReplayResult & Spent)[],
  { tokens, limit, hidden, unit, models, reported }: Look,
  { columns: width, hasColor }: Pick<Io, 'columns' | 'hasColor'>,
): string {
  const palette = paletteFor(hasColor);
  const sorted = [...results].sort((a, b) => missRate(a) - missRate(b) || a.cost - b.cost);
  const requests = sorted[0]?.requests ?? 0;
  const amount = (spent: number, of = unit) =>
    of === 'dollars' ? `$${spent.toFixed(2)}` : figure(Math.round(spent));
  const table = tableOf(
    [
      flexible('strategy'),
      right('missing'),
      right('cost'),
      right('spent'),
      right('tokens'),
      right('largest'),
      right('rewrites'),
      right('too large'),
    ],
    sorted.map((result) => [
      result.candidate,
      `${(missRate(result) * 100).toFixed(1)} %`,
      `${Math.round(result.cost * 100)} %`,
      amount(result.spent),
      figure(mean(result.tokens)),
      figure(Math.max(0, ...result.tokens)),
      figure(result.rewrites),
      figure(result.overflows),
    ]),
    { width, heading: palette.dim },
  );
  const notes = [
    'missing: of the names, paths and numbers that the agent used, those that were not in the request then.',
    'cost: of the input with prompt caching, relative to sending everything. tokens: of a request, on average.',
    `spent: of that, ${unit === 'dollars' ? atPriceOf(models) : unpriced(models)}; sending everything would cost ${amount(sorted[0]?.withoutCompression ?? 0)}.`,
    ...(reported === undefined
      ? []
      : [
          `By the reports in the file, the input of the session itself cost ${amount(reported.amount, reported.unit)}${reported.unit === 'dollars' ? '' : ' tokens at the full input price'}: with the agent's own compactions, and a cache that may have expired.`,
        ]),
    'rewrites: requests that do not extend the one before, which the cache has to read anew.',
    ...(hidden > 0
      ? [
          `${figure(hidden)} tokens of each request are the system prompt and tools that are not in the file, as the provider reported.`,
        ]
      : []),
  ];
  return `${palette.bold(`${figure(tokens)} tokens in ${counted(requests, 'request')}, replayed under ${figure(limit)}`)}\n\n${table}\n\n${palette.dim(notes.join('\n'))}\n`;
}

function atPriceOf(models: readonly string[]): string {
  const [one, ...others] = models;
  if (others.length === 0) return `at the price of ${one}`;
  return `at the prices of ${new Intl.ListFormat('en').format(models)}, each request at that of its model`;
}

function unpriced({ length }: readonly string[]): string {
  return `in tokens at the full input price, as ${length > 1 ? 'the price of one of the models' : "the model's price"} is not known`;
}

function missRate({ misses, uses }: ReplayResult): number {
  return uses === 0 ? 0 : misses / uses;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
}
