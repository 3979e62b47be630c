import type { Io } from '../terminal/io.js';
import { counted, figure, type Palette, paletteFor, percent, shownLine } from '../terminal/shown.js';
import { flexible, right, tableOf } from '../terminal/table.js';
import type { ContextReport, ContextRow } from './analyse.js';
import type { Saving } from './savings.js';

/** Columns of the longest bar; a longer one is no easier to read. */
const longestBar = 100;

/** The report as text. */
export function renderContext(
  report: ContextReport,
  { columns: width, hasColor }: Pick<Io, 'columns' | 'hasColor'>,
): string {
  const palette = paletteFor(hasColor);
  const sections = [
    headOf(report, palette),
    barOf(report, Math.min(width, longestBar), palette),
    rowsTable(report, width, palette),
    largestTable(report, width, palette),
    savingsTable(report, width, palette),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function headOf(report: ContextReport, palette: Palette): string {
  const { used, window, free, at, said, model, reserve } = report;
  const place = at === said ? '' : ` of ${figure(said)}`;
  const left =
    free >= 0
      ? `${figure(free)} are free`
      : `${figure(-free)} too many, if ${figure(reserve)} are kept for the answer`;
  const lines = [
    `${palette.bold(`${figure(used)} of ${figure(window)} tokens are used (${percent(used / window)}), ${left}.`)}`,
    `${shownLine(model ?? 'No model is named')}, after message ${figure(at)}${place}; ${counted(report.messages, 'message')} in the window${compactionsOf(report)}.`,
    measureText(report),
  ];
  if (report.isWindowAssumed)
    lines.push(
      palette.yellow(
        `The window of ${model === undefined ? 'this session' : shownLine(model)} is not known: ${figure(window)} tokens are assumed. --window or --model sets it.`,
      ),
    );
  if (report.compactedAt !== undefined && report.compactedAt < report.window / 2)
    lines.push(
      palette.yellow(
        `The agent compacted by itself at ${figure(report.compactedAt)} tokens, so it works with a smaller window. --window sets it.`,
      ),
    );
  if (report.skipped > 0)
    lines.push(palette.yellow(`${counted(report.skipped, 'record')} of the file could not be read.`));
  return lines.join('\n');
}

function measureText({ measuredBy, reported }: ContextReport): string {
  if (measuredBy === 'provider')
    return `Tokens are the provider’s: it reported ${figure(reported ?? 0)} for its last request.`;
  if (reported !== undefined)
    return `Tokens are counted by ctx: the provider reported ${figure(reported)} for its last request, less than the file holds. Something made the request smaller, such as a proxy.`;
  return 'Tokens are counted by ctx as the provider is expected to, because the file holds no usage: those of all messages in the file, with their roles and marks. A system prompt and tools that are not in the file come on top.';
}

function compactionsOf({ compactions }: ContextReport): string {
  if (compactions === 0) return '';
  return `, as the agent compacted it ${compactions === 1 ? 'once' : `${compactions} times`}`;
}

function rowsTable({ rows, window }: ContextReport, width: number, palette: Palette): string {
  const cells = rows.map(({ name, tokens, messages }) => [
    '■',
    name,
    figure(tokens),
    percent(tokens / window),
    messages === undefined ? '' : figure(messages),
  ]);
  return tableOf(
    [{ title: '' }, flexible('what'), right('tokens'), right('of window'), right('messages')],
    cells,
    {
      width,
      heading: palette.dim,
      marked: (text, row, column) => {
        const kind = rows[row]?.kind;
        if (column === 0 && kind !== undefined) return markOf(kind, palette);
        return kind === 'free' || kind === 'reserve' ? palette.dim(text) : text;
      },
    },
  );
}

function largestTable({ largest, used }: ContextReport, width: number, palette: Palette): string {
  if (largest.length === 0) return '';
  const rows = largest.map(({ number, label, tokens }) => [
    number === undefined ? '–' : figure(number),
    label,
    figure(tokens),
    percent(tokens / Math.max(1, used)),
  ]);
  const table = tableOf([right('message'), flexible('what'), right('tokens'), right('of used')], rows, {
    width,
    heading: palette.dim,
  });
  return `${palette.bold(`The ${largest.length === 1 ? 'largest message' : `${largest.length} largest messages`}`)}\n${table}`;
}

function savingsTable({ savings }: ContextReport, width: number, palette: Palette): string {
  if (savings.length === 0) return '';
  const rows = savings.map(({ share, tokensAfter, freed, survival }) => [
    `${share * 100} %`,
    figure(freed),
    figure(tokensAfter),
    survival === undefined ? '–' : percent(survival),
  ]);
  const table = tableOf(
    [right('compressed to'), right('frees'), right('leaves'), right('keeps of what was used next')],
    rows,
    { width, heading: palette.dim },
  );
  return `${palette.bold('What could go, with the default pipeline')}\n${table}\n${palette.dim(savingsText(savings))}`;
}

function savingsText(savings: readonly Saving[]): string {
  const [{ tokensBefore, measuredOn, places } = { tokensBefore: 0, measuredOn: 'nothing', places: 0 }] =
    savings;
  const measured = {
    'what followed': 'Measured on the names, paths and numbers that the agent used in the next 40 messages.',
    'earlier places': `Nothing follows here, so the loss is the average of ${counted(places, 'earlier place')} of this session.`,
    nothing: 'No place of this session shows what the agent used again, so the loss is not measured.',
  } as const;
  return `Of the ${figure(tokensBefore)} tokens of the messages in the file with their roles and marks, as ctx compress counts them.\n${measured[measuredOn as Saving['measuredOn']]}`;
}

type Look = readonly [letter: string, color: keyof Palette];

/** A letter and a colour for each kind, so that the bar can be read without colours too. */
const looks: Readonly<Record<ContextRow['kind'], Look>> = {
  hidden: ['h', 'gray'],
  system: ['s', 'gray'],
  user: ['u', 'blue'],
  assistant: ['a', 'cyan'],
  reasoning: ['r', 'magenta'],
  calls: ['c', 'yellow'],
  results: ['t', 'green'],
  summaries: ['S', 'red'],
  form: ['f', 'gray'],
  free: ['.', 'dim'],
  reserve: ['_', 'dim'],
};

/** The letter of a kind, in its colour. */
function markOf(kind: ContextRow['kind'], palette: Palette): string {
  const [letter, color] = looks[kind];
  return palette[color](letter);
}

/** The window as a bar: a letter for each share of it, in the order of the rows. */
function barOf(report: ContextReport, columns: number, palette: Palette): string {
  const whole = Math.max(report.window, report.used + report.reserve);
  let [tokens, filled] = [0, 0];
  const parts = report.rows.map(({ kind, tokens: own }) => {
    tokens += own;
    const end = Math.min(columns, Math.round((tokens / whole) * columns));
    const [letter, color] = looks[kind];
    const part = palette[color](letter.repeat(Math.max(0, end - filled)));
    filled = Math.max(filled, end);
    return part;
  });
  return parts.join('');
}
