import { ownPack, ownSection } from './own-session.js';
import { type PageSection, pageOf } from './page-shell.js';
import type { ReportData } from './report-data.js';

const sections = [
  {
    id: 'timelines',
    title: 'What became of each message',
    lead: 'One row for each candidate, one bar for each message, on the same axis. Point at a bar, or move to it with the arrow keys, to read the message before and after.',
    none: 'This report has no timelines.',
    isEmpty: (data: ReportData) => data.timelines.length === 0,
  },
  {
    id: 'scores',
    title: 'Scores',
    lead: 'What each candidate keeps of what the agent used next, and what whole sessions cost with it. A star marks the best of a column. A question mark explains a word.',
    none: 'This report has no score tables.',
    isEmpty: (data: ReportData) => data.tables.length === 0,
  },
  {
    id: 'curves',
    title: 'Tokens over a session',
    lead: 'How many tokens each request sends while a whole session is replayed under one limit. The candidates that miss least are shown first; check others to see them.',
    none: 'This report has no replayed sessions.',
    isEmpty: (data: ReportData) => data.replays.length === 0,
  },
  {
    id: 'trade-off',
    title: 'Cost against misses',
    lead: 'Means over all sessions. Nearer the lower left corner is better: cheaper, and less is missing.',
    none: 'This report has no costs and miss rates.',
    isEmpty: (data: ReportData) => data.points.length === 0,
  },
] as const;

/** Makes one HTML page from the figures: timelines, tables, curves. The page loads nothing. */
export async function renderReport(data: ReportData): Promise<string> {
  const isEmpty = sections.every((section) => section.isEmpty(data));
  const shown = sections.map(
    ({ id, title, lead, none, isEmpty: isMissing }): PageSection => ({
      id,
      title,
      lead,
      ...(isMissing(data) && { none }),
    }),
  );
  return pageOf({
    title: 'Context compression report',
    facts: facts(data),
    headline: data.headline,
    sections: isEmpty ? [] : [...shown, ownSection],
    empty: 'This report is empty: it has no tables, timelines, replays or points.',
    data: isEmpty ? null : { report: data },
    ...(!isEmpty && { packs: await ownPack() }),
  });
}

function facts(data: ReportData): string {
  const sessions = new Set([...data.timelines, ...data.replays].map(({ session }) => session)).size;
  const candidates = new Set([
    ...data.timelines.flatMap((timeline) => timeline.candidates.map(({ candidate }) => candidate)),
    ...[...data.replays, ...data.points].map(({ candidate }) => candidate),
  ]).size;
  return [timeOf(data.createdAt), count(sessions, 'session'), count(candidates, 'candidate')].join(' · ');
}

/** The date and time of an ISO 8601 text, as people read it. */
export function timeOf(createdAt: string): string {
  const time = new Date(createdAt);
  return Number.isNaN(time.getTime())
    ? createdAt
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
