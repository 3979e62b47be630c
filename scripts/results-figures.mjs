/** The tables of docs/results.md and the CSV files beside it, from what `npm run bench -- --record` wrote. */
import { table, tokensText, withError } from './readme-figures.mjs';

const unique = (values) => [...new Set(values)];
/** A figure at each size, in one cell. */
const each = (rows, pick, digits = 0) => rows.map((row) => pick(row)?.toFixed(digits) ?? '–').join(' / ');
const percent = (share) => `${Number((100 * share).toFixed(1))} %`;

function cutsTable({ overall, recorded }) {
  const shares = unique(overall.map(({ share }) => share)).map((share) => percent(share));
  const candidates = unique(overall.map(({ candidate }) => candidate)).map((candidate) => [
    candidate,
    overall.filter((row) => row.candidate === candidate),
  ]);
  const best = ([, rows]) => rows.reduce((sum, { usableCtx }) => sum + usableCtx.mean, 0);
  return [
    `Brought to ${shares.join(' / ')} of the tokens, the best first:`,
    '',
    table(
      ['', 'usable-ctx', 'passage', 'far', 'instructions', 'measured'],
      candidates
        .toSorted((one, other) => best(other) - best(one))
        .map(([candidate, rows]) => [
          candidate,
          each(rows, ({ usableCtx }) => usableCtx.mean),
          each(rows, ({ usablePassage }) => usablePassage.mean),
          each(rows, ({ far }) => far?.mean),
          each(rows, ({ instructions }) => instructions?.mean),
          recorded[candidate] ?? '',
        ]),
    ),
  ].join('\n');
}

function replaysTable({ replays }) {
  const limits = unique(replays.map(({ limit }) => limit));
  return [
    `Whole sessions in a window of ${limits.map(tokensText).join(' / ')} tokens:`,
    '',
    table(
      ['', ...limits.map((limit) => `misses % in ${tokensText(limit)}`), 'cost', 'edits whole %', 'rewrites'],
      unique(replays.map(({ candidate }) => candidate)).map((candidate) => {
        const rows = replays.filter((row) => row.candidate === candidate);
        return [
          candidate,
          ...rows.map(({ missRate }) => withError(missRate)),
          each(rows, ({ cost }) => cost.mean, 2),
          each(rows, ({ editsWhole }) => editsWhole?.mean),
          each(rows, ({ rewrites }) => rewrites),
        ];
      }),
    ),
  ].join('\n');
}

function plantedTable({ planted }) {
  const shares = unique(planted.map(({ share }) => share));
  return [
    `Of ${planted[0].facts.all} planted facts, kept in ${shares.map(percent).join(' / ')} of the tokens:`,
    '',
    table(
      ['', 'facts', 'by a tool', 'by the assistant', 'by the user', 'in plain words'],
      unique(planted.map(({ candidate, set = 'repeating' }) => `${candidate}, ${set} noise`)).map((name) => {
        const rows = planted.filter(
          ({ candidate, set = 'repeating' }) => `${candidate}, ${set} noise` === name,
        );
        return [
          name,
          ...['facts', 'byTool', 'byAssistant', 'byUser', 'plain'].map((of) =>
            each(rows, (row) => row[of].kept),
          ),
        ];
      }),
    ),
  ].join('\n');
}

function cyclesTable({ cycles }) {
  const [{ limit, rules, facts }] = cycles;
  return [
    `One conversation, compressed again and again in ${tokensText(limit)} tokens:`,
    '',
    table(
      [
        '',
        'compressions',
        'freed by the first ten',
        'by the last ten',
        `of ${rules} rules`,
        `of ${facts} facts`,
      ],
      cycles.map((one) => [
        one.candidate,
        one.compressions,
        tokensText(Math.round(one.firstFreed)),
        tokensText(Math.round(one.lastFreed)),
        one.rulesKept,
        one.factsKept,
      ]),
    ),
  ].join('\n');
}

/** Our candidates that the page shows next to all peers and baselines; the CSV files have every strategy. */
const shown = [
  'default pipeline',
  'relevance',
  'condense',
  'tool-results',
  'middle-removal',
  'oldest-removal',
];
const isShown = ({ candidate, kind }) => kind === 'peer' || kind === 'baseline' || shown.includes(candidate);

/** Every table of the page. */
export function resultTables(results) {
  const own = {
    ...results,
    overall: results.overall.filter(isShown),
    replays: results.replays.filter(isShown),
  };
  return [cutsTable, replaysTable, plantedTable, cyclesTable].map((write) => write(own)).join('\n\n');
}

/** Figures of a row by the names of their columns; an average takes three. */
function flat(row) {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => {
      if (Array.isArray(value)) return [[name, value.map(rounded).join(' ')]];
      if (value === null || typeof value !== 'object') return [[name, rounded(value)]];
      return Object.entries(value).map(([key, one]) => [
        key === 'mean' ? name : `${name} ${key}`,
        rounded(one),
      ]);
    }),
  );
}

const rounded = (value) => (typeof value === 'number' ? Number(value.toFixed(3)) : (value ?? ''));

function csv(rows) {
  const flats = rows.map(flat);
  const columns = unique(flats.flatMap(Object.keys));
  const quoted = (cell) => (/[",\n]/.test(`${cell}`) ? `"${`${cell}`.replaceAll('"', '""')}"` : cell);
  const line = (cells) => cells.map(quoted).join(',');
  return `${[columns, ...flats.map((row) => columns.map((name) => row[name] ?? ''))].map(line).join('\n')}\n`;
}

/** All figures that are recorded, by the file's name. */
export function csvFiles({ overall, replays, loop, cycles, planted }, exam, speed) {
  const files = { cuts: overall, replays, loop, cycles, planted, exam: exam.rows, speed: speed.figures };
  return Object.fromEntries(Object.entries(files).map(([name, rows]) => [`${name}.csv`, csv(rows)]));
}
