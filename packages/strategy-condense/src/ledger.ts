import { Haystack, searchable } from './search.js';

/** What a summary must not lose. */
export interface LedgerEntry {
  readonly kind: 'instruction' | 'error' | 'todo' | 'file';
  /** Verbatim. */
  readonly text: string;
  /** The message it is from, counted from 1. */
  readonly number: number;
  /** Among those of its kind; the more important go first. @default 0 */
  readonly importance?: number;
}

/** A summary beside what was required of it. */
export interface Balance {
  /** The summary, with what was missing. */
  readonly text: string;
  readonly required: number;
  /** In the summary as it was written. */
  readonly present: number;
  readonly added: number;
  /** Without room. */
  readonly leftOut: readonly LedgerEntry[];
}

const headings: Readonly<Record<LedgerEntry['kind'], string>> = {
  instruction: 'What the user asked for, word for word',
  error: 'Errors that are not resolved',
  todo: 'Still to do',
  file: 'Files that were changed',
};
/** What takes more of the room than this waits until all else of its kind has its place. */
const largestShare = 0.25;
const kinds = Object.keys(headings) as LedgerEntry['kind'][];

/**
 * Compares a summary with what it must not lose, and appends what is missing under headings of its own, within so many
 * tokens. Instructions go first, the most important of them before others, of equal ones the oldest: the newest are the likeliest to stand
 * in the conversation still. In the text they stand in the order of the conversation.
 */
export function withLedger(
  summary: string,
  entries: readonly LedgerEntry[],
  { maxTokens, tokensOf }: { readonly maxTokens: number; readonly tokensOf: (text: string) => number },
): Balance {
  const required = unique(entries);
  const missing = notSaid(required, summary);
  const byNeed = missing.toSorted(
    (a, b) =>
      (b.importance ?? 0) - (a.importance ?? 0) ||
      (a.kind === 'instruction' ? a.number - b.number : b.number - a.number),
  );
  const added = new Set<LedgerEntry>();
  let left = maxTokens;
  for (const kind of kinds) {
    let head = tokensOf(`\n\n## ${headings[kind]}\n`);
    // A line takes a token at least, so there is no room for more lines than tokens.
    const own = byNeed.filter((entry) => entry.kind === kind).slice(0, Math.ceil(maxTokens));
    const lines = own.map((entry) => ({ entry, tokens: tokensOf(`${lineOf(entry)}\n`) + 1 }));
    for (const most of [maxTokens * largestShare, maxTokens]) {
      for (const { entry, tokens } of lines) {
        if (added.has(entry) || tokens > most || tokens + head > left) continue;
        left -= tokens + head;
        head = 0;
        added.add(entry);
      }
    }
  }
  return {
    text: [summary.trim(), ...sectionsOf([...added])].join('\n\n'),
    required: required.length,
    present: required.length - missing.length,
    added: added.size,
    leftOut: missing.filter((entry) => !added.has(entry)),
  };
}

/** Those entries that a text does not say. */
export function notSaid(entries: readonly LedgerEntry[], text: string): LedgerEntry[] {
  const said = new Haystack(normalized(text));
  return entries.filter((entry) =>
    entry.kind === 'file' ? !said.names(entry.text) : !said.holds(soughtFor(entry)),
  );
}

function sectionsOf(entries: readonly LedgerEntry[]): string[] {
  return kinds.flatMap((kind) => {
    const lines = entries.filter((entry) => entry.kind === kind).toSorted((a, b) => a.number - b.number);
    return lines.length === 0 ? [] : [`## ${headings[kind]}\n${lines.map(lineOf).join('\n')}`];
  });
}

/** Line breaks are kept and indented, so that a quotation can't begin a section. */
function lineOf({ kind, text, number }: LedgerEntry): string {
  const body = text.trim().replace(/\r\n?|[\n\u2028\u2029]/g, '\n  ');
  switch (kind) {
    case 'instruction':
      return `- "${body}" (Message #${number})`;
    case 'todo':
      return `- [ ] ${body}`;
    case 'file':
      return `- ${body}`;
    case 'error':
      return `- ${body} (Message #${number})`;
    default:
      return kind satisfies never;
  }
}

/** Of what was said twice, the newest. */
function unique(entries: readonly LedgerEntry[]): LedgerEntry[] {
  return [...new Map(entries.map((entry) => [`${entry.kind}\n${soughtFor(entry).text}`, entry])).values()];
}

const prepared = new WeakMap<LedgerEntry, ReturnType<typeof searchable>>();

function soughtFor(entry: LedgerEntry) {
  const known = prepared.get(entry) ?? searchable(normalized(entry.text));
  prepared.set(entry, known);
  return known;
}

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
