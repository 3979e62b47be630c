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

/** What was required of a summary, and what became of it. Plain JSON. */
export interface Receipt {
  readonly required: number;
  /** In the summary as it was written. */
  readonly present: number;
  readonly added: number;
  /** Without room. */
  readonly leftOut: readonly Pick<LedgerEntry, 'kind' | 'number'>[];
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
): { readonly text: string; readonly receipt: Receipt } {
  const required = unique(entries);
  const said = normalized(summary);
  const missing = required.filter(({ kind, text }) =>
    kind === 'file' ? !namesFile(said, text) : !said.includes(normalized(text)),
  );
  const byNeed = missing.toSorted(
    (a, b) =>
      (b.importance ?? 0) - (a.importance ?? 0) ||
      (a.kind === 'instruction' ? a.number - b.number : b.number - a.number),
  );
  const added = new Set<LedgerEntry>();
  let left = maxTokens;
  const costs = new Map(byNeed.map((entry) => [entry, tokensOf(`${lineOf(entry)}\n`) + 1]));
  const add = (entriesOfKind: readonly LedgerEntry[], most: number) => {
    for (const entry of entriesOfKind) {
      const line = costs.get(entry) as number;
      const isFirst = ![...added].some(({ kind }) => kind === entry.kind);
      const cost = line + (isFirst ? tokensOf(`\n\n## ${headings[entry.kind]}\n`) : 0);
      if (added.has(entry) || line > most || cost > left) continue;
      left -= cost;
      added.add(entry);
    }
  };
  for (const kind of kinds) {
    const own = byNeed.filter((entry) => entry.kind === kind);
    add(own, maxTokens * largestShare);
    add(own, maxTokens);
  }
  return {
    text: [summary.trim(), ...sectionsOf([...added])].join('\n\n'),
    receipt: {
      required: required.length,
      present: required.length - missing.length,
      added: added.size,
      leftOut: missing.filter((entry) => !added.has(entry)).map(({ kind, number }) => ({ kind, number })),
    },
  };
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
  return [...new Map(entries.map((entry) => [`${entry.kind}\n${normalized(entry.text)}`, entry])).values()];
}

/** `src/data.ts` and `lib/src/a.ts` do not name `a.ts`. */
function namesFile(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + path.length]];
    if (!/[\w/.-]/.test(before) && !/[\w/-]/.test(after)) return true;
  }
  return false;
}

function normalized(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
