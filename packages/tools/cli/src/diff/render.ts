import { grouped } from '@ctx/bench/measure';
import { diffLines } from 'diff';
import type { Io } from '../terminal/io.js';
import { counted, figure, type Palette, paletteFor, shownText } from '../terminal/shown.js';
import { tableOf } from '../terminal/table.js';
import type { Added, Change, Changes } from './changes.js';

const colors: Readonly<Record<Change['outcome'], keyof Palette>> = {
  kept: 'dim',
  cleared: 'yellow',
  truncated: 'yellow',
  folded: 'yellow',
  summarised: 'cyan',
  excerpted: 'green',
  dropped: 'red',
};

/** Changed lines up to which the shortest difference is looked for; beyond them everything counts as removed and added. */
const mostChanges = 5_000;

/**
 * What left, message by message.
 * @param lines whether it is shown line by line
 */
export function renderChanges(
  { changes, added }: Changes,
  lines: boolean,
  { columns: width, hasColor }: Pick<Io, 'columns' | 'hasColor'>,
): string {
  const palette = paletteFor(hasColor);
  const changed = changes.filter(({ outcome }) => outcome !== 'kept');
  const sections = [totalsOf(changes, palette)];
  if (lines)
    sections.push(
      ...changed.map((change) => linesOf(change, palette)),
      ...added.map((one) => addedLines(one, palette)),
    );
  else if (changed.length > 0)
    sections.push(changesTable(changed, width, palette), addedTable(added, width, palette));
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function totalsOf(changes: readonly Change[], palette: Palette): string {
  return [...grouped(changes, ({ outcome }) => outcome)]
    .map(([outcome, some]) => {
      const sum = (pick: (change: Change) => number) => figure(some.reduce((all, one) => all + pick(one), 0));
      const left = outcome === 'kept' ? '' : ` → ${sum(({ tokensAfter }) => tokensAfter)}`;
      const name = palette[colors[outcome]](outcome.padEnd(10));
      return `${name} ${counted(some.length, 'message')}, ${sum(({ tokensBefore }) => tokensBefore)} tokens${left}`;
    })
    .join('\n');
}

function changesTable(changes: readonly Change[], width: number, palette: Palette): string {
  return tableOf(
    [
      { title: 'message', align: 'right' },
      { title: 'what', isFlexible: true },
      { title: 'tokens', align: 'right' },
      { title: 'left', align: 'right' },
      { title: 'outcome' },
    ],
    changes.map(({ number, label, tokensBefore, tokensAfter, outcome }) => [
      numberText(number),
      label,
      figure(tokensBefore),
      figure(tokensAfter),
      outcome,
    ]),
    {
      width,
      heading: palette.dim,
      marked: (text, row, column) => {
        const outcome = changes[row]?.outcome;
        return column === 4 && outcome !== undefined ? palette[colors[outcome]](text) : text;
      },
    },
  );
}

function addedTable(added: readonly Added[], width: number, palette: Palette): string {
  if (added.length === 0) return '';
  return tableOf(
    [
      { title: 'new message', isFlexible: true },
      { title: 'tokens', align: 'right' },
    ],
    added.map(({ label, tokens, text }) => [`${label}: ${text}`, figure(tokens)]),
    { width, heading: palette.dim },
  );
}

function linesOf({ number, label, outcome, before, after }: Change, palette: Palette): string {
  const head = `@@ message ${numberText(number)}: ${label.replace(/\s+/g, ' ')} (${outcome}) @@`;
  const parts = diffLines(before, after, { maxEditLength: mostChanges }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const body = parts.flatMap(({ value, removed, added }) => {
    const [sign, color] = removed
      ? (['-', 'red'] as const)
      : added
        ? (['+', 'green'] as const)
        : ([' ', 'dim'] as const);
    return textLines(value).map((line) => palette[color](`${sign}${line}`));
  });
  return [palette.cyan(shownText(head)), ...body].join('\n');
}

function addedLines({ label, text }: Added, palette: Palette): string {
  return [
    palette.cyan(`@@ new message: ${shownText(label)} @@`),
    ...textLines(text).map((line) => palette.green(`+${line}`)),
  ].join('\n');
}

function textLines(text: string): string[] {
  return text === '' ? [] : shownText(text).replace(/\n$/, '').split('\n');
}

function numberText(number: number | undefined): string {
  return number === undefined ? '–' : figure(number);
}
