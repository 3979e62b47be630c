import { type PageSection, pageOf } from './page-shell.js';
import type { ReportData } from './report-data.js';
import type { SessionParts } from './session-data.js';

/** What is left and what it costs. */
const scores: PageSection = {
  id: 'scores',
  title: 'What is left, and what it costs',
  lead: 'What each candidate keeps of what the agent used next, and what whole sessions cost with it. A star marks the best of a column, unless several are as good. A question mark explains a word.',
};

/** One session, request by request. */
export const steps: PageSection = {
  id: 'steps',
  title: 'One session, step by step',
  lead: 'Move the slider to a request. Below it is what the model saw then with the chosen candidate, what its answer needed and did not have, and the cost so far.',
};

/**
 * Makes one HTML page from the figures and the steps of a session. The page loads nothing.
 * @param session without it, the page has tables only
 */
export function renderReport(data: ReportData, session?: SessionParts): Promise<string> {
  const hasSteps = session !== undefined && session.report.candidates.length > 0;
  return pageOf({
    title: 'Context compression report',
    facts: [
      timeOf(data.createdAt),
      count(data.sessions, 'session'),
      count(data.candidates, 'candidate'),
      ...(hasSteps ? [`steps of ${session.report.session}`] : []),
    ].join(' · '),
    headline: data.headline,
    sections: [...(data.tables.length > 0 ? [scores] : []), ...(hasSteps ? [steps] : [])],
    empty: 'This report is empty: no session was long enough to be measured.',
    tables: data.tables,
    session: hasSteps ? session : undefined,
  });
}

/** The date and time of an ISO 8601 text, as people read it. */
export function timeOf(createdAt: string): string {
  const time = new Date(createdAt);
  return Number.isNaN(time.getTime())
    ? createdAt
    : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
