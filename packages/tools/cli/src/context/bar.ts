import type { Palette } from '../terminal/shown.js';
import type { ContextReport, ContextRow } from './report.js';

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
export function markOf(kind: ContextRow['kind'], palette: Palette): string {
  const [letter, color] = looks[kind];
  return palette[color](letter);
}

/** The window as a bar: a letter for each share of it, in the order of the rows. */
export function barOf(report: ContextReport, columns: number, palette: Palette): string {
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
