import type { CompressionStrategy } from '../view/strategy.js';
import type { View } from '../view/view.js';
import type { StageReport } from './record.js';

/** What the stages had made before one that may remove the excerpts and summaries that they wrote. */
export interface KeptNotes {
  readonly view: View;
  /** Numbers of the edits and of the reports until then. */
  readonly edits: number;
  readonly stages: number;
}

/** Whether a stage may remove notes from a view that fits the window as it is. */
export function mayRemoveNotes({ emits }: CompressionStrategy, view: View, windowTokens: number): boolean {
  return emits.includes('drop') && view.tokens <= windowTokens && notesIn(view).length > 0;
}

/** Takes back what was made since, unless it is small enough and has all notes. */
export function takeBack(
  { view, edits, stages }: KeptNotes,
  made: { view: View; readonly edits: unknown[] },
  reports: StageReport[],
  enoughTokens: number,
): void {
  const left = new Set(made.view.entries.map(({ id }) => id));
  if (made.view.tokens <= enoughTokens && notesIn(view).every(({ id }) => left.has(id))) return;
  made.view = view;
  made.edits.length = edits;
  reports.push(...reports.splice(stages).map((report) => unused(report, view.tokens)));
}

function notesIn({ entries }: View): View['entries'] {
  return entries.filter(({ id, origins }) => !origins.isOnly(id));
}

/** The report of a stage whose edits are not used. */
function unused(report: StageReport, tokensAfter: number): StageReport {
  if (report.edits === 0) return report;
  const reason =
    'It would remove what the other stages wrote or free too little, and what is there fits the window';
  const status = report.error === undefined ? 'no-progress' : 'failed';
  return { ...report, status, edits: 0, tokensAfter, reason };
}
