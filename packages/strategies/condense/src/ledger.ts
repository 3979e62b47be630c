import { Haystack, searchable } from './search.js';

/** Something that a summary must not lose. */
export interface LedgerEntry {
  readonly kind: 'instruction' | 'error' | 'todo' | 'file';
  /** Verbatim. */
  readonly text: string;
  /** The number of its message, counted from 1. */
  readonly number: number;
  /** Its importance among entries of its kind. More important entries are added first. @default 0 */
  readonly importance?: number;
}

/** A summary, and how it compares with what was required. */
export interface Balance {
  /** The summary, with the missing entries appended. */
  readonly text: string;
  readonly required: number;
  /** The number of required entries that the summary contained as it was written. */
  readonly present: number;
  readonly added: number;
  /** Missing entries for which there was no room. */
  readonly leftOut: readonly LedgerEntry[];
}

const headings: Readonly<Record<LedgerEntry['kind'], string>> = {
  instruction: 'What the user asked for, word for word',
  error: 'Errors that are not resolved',
  todo: 'Still to do',
  file: 'Files that were changed',
};
/** An entry that takes a larger share of the room than this waits until all others of its kind are added. */
const largestShare = 0.25;
const kinds = Object.keys(headings) as LedgerEntry['kind'][];

/**
 * Compares a summary with its ledger, and appends missing entries under separate headings, within `roomTokens`. Instructions have
 * priority, the most important of them first. Of equally important instructions, the older one has priority, because the newer one is more
 * likely to be still in the conversation. In the text, entries are in the order of the conversation.
 */
export function withLedger(
  summary: string,
  entries: readonly LedgerEntry[],
  { roomTokens, tokensOf }: { readonly roomTokens: number; readonly tokensOf: (text: string) => number },
): Balance {
  const required = unique(entries);
  const missing = notSaid(required, summary);
  const byNeed = missing.toSorted(
    (a, b) =>
      (b.importance ?? 0) - (a.importance ?? 0) ||
      (a.kind === 'instruction' ? a.number - b.number : b.number - a.number),
  );
  const added = new Set<LedgerEntry>();
  let left = roomTokens;
  for (const kind of kinds) {
    let head = tokensOf(`\n\n## ${headings[kind]}\n`);
    // Each line takes at least one token, so there is no room for more lines than tokens.
    const own = byNeed.filter((entry) => entry.kind === kind).slice(0, Math.ceil(roomTokens));
    const lines = own.map((entry) => ({ entry, tokens: tokensOf(`${lineOf(entry)}\n`) + 1 }));
    for (const most of [roomTokens * largestShare, roomTokens]) {
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

/** The entries that a text does not contain. */
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

/** Writes an entry as a list item. Indents its further lines, so that a quotation can't begin a section. */
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

/** Removes duplicates and keeps the newest of each. */
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
