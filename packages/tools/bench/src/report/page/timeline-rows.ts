import type { ReportTimeline } from '../report-data.js';
import type { BarKind } from './bar-look.js';

/** One bar of a row: a message, before and after. */
export interface Bar {
  readonly kind: BarKind;
  /** Place on the axis that all rows share. */
  readonly x: number;
  readonly number: string;
  readonly label: string;
  readonly before: number;
  readonly after: number;
  readonly textBefore?: string;
  readonly textAfter?: string;
  readonly reason?: string;
}

/** A row of bars: the original session, or a candidate's result. */
export interface Row {
  readonly name: string;
  readonly candidate?: string;
  readonly tokens: number;
  readonly usableCtx?: number;
  readonly isRanked?: boolean;
  readonly bars: readonly Bar[];
}

/** The rows of a timeline: the session itself first, then the candidates, those that keep the most first. Added messages are to the right of all others. */
export function rowsOf(timeline: ReportTimeline): Row[] {
  const { messages } = timeline;
  const addedFrom = messages.length + 2;
  const session: Row = {
    name: 'The session',
    tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
    bars: messages.map((message, at) => ({
      kind: `role-${message.role}`,
      x: at,
      number: String(at + 1),
      label: message.label,
      before: message.tokens,
      after: message.tokens,
      textBefore: message.text,
    })),
  };
  const byKept = timeline.candidates.toSorted((a, b) => keptBy(b) - keptBy(a));
  const compressed = byKept.map((made): Row => {
    const bars = messages.map((message, at): Bar => {
      const fate = made.fates[at] ?? { outcome: 'kept', tokens: message.tokens };
      return {
        kind: fate.outcome,
        x: at,
        number: String(at + 1),
        label: message.label,
        before: message.tokens,
        after: fate.tokens,
        textBefore: message.text,
        ...(fate.after !== undefined && { textAfter: fate.after }),
        ...(fate.reason !== undefined && { reason: fate.reason }),
      };
    });
    const added = made.added.map(
      (message, at): Bar => ({
        kind: 'added',
        x: addedFrom + at,
        number: `added ${at + 1}`,
        label: message.label,
        before: 0,
        after: message.tokens,
        textAfter: message.text,
      }),
    );
    return {
      name: made.candidate,
      candidate: made.candidate,
      tokens: made.tokens,
      usableCtx: made.usableCtx,
      isRanked: made.isRanked,
      bars: [...bars, ...added],
    };
  });
  return [session, ...compressed];
}

/** JSON has no NaN, so a missing figure is null. */
const keptBy = ({ usableCtx }: ReportTimeline['candidates'][number]) =>
  Number.isFinite(usableCtx) ? usableCtx : -1;
