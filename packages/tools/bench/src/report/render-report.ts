import type { Table } from '../table-cells.js';
import { type PageSection, pageOf, timeOf } from './page-shell.js';
import type { SessionParts } from './session-data.js';
import { tablesHtml, termsHtml } from './table-html.js';

/** What a report says besides its tables. */
export interface ReportAbout {
  /** ISO 8601. */
  readonly createdAt: string;
  /** How many sessions and candidates the figures are of. */
  readonly sessions: number;
  readonly candidates: number;
}

/** One session, request by request. The page's script fills it. */
export const steps: PageSection = {
  id: 'steps',
  title: 'One session, step by step',
  lead: 'Move the slider to a request. Below it is what the model saw then with the chosen candidate, what its answer needed and did not have, and the cost so far.',
  html: '<div data-mount="steps"></div>',
};

/**
 * Makes one HTML page from tables and the steps of a session. The page loads nothing.
 * @param session without it, the page has tables only
 */
export function renderReport(
  tables: readonly Table[],
  about: ReportAbout,
  session?: SessionParts,
): Promise<string> {
  const hasSteps = session !== undefined && session.report.candidates.length > 0;
  const scores: PageSection = {
    id: 'scores',
    title: 'What is left, and what it costs',
    lead: 'What each candidate keeps of what the agent used next, and what whole sessions cost with it.',
    html: tablesHtml(tables) + termsHtml(),
  };
  return pageOf({
    title: 'Context compression report',
    facts: [
      timeOf(about.createdAt),
      count(about.sessions, 'session'),
      count(about.candidates, 'candidate'),
      ...(hasSteps ? [`steps of ${session.report.session}`] : []),
    ].join(' · '),
    sections: [...(tables.length > 0 ? [scores] : []), ...(hasSteps ? [steps] : [])],
    empty: 'This report is empty: no session was long enough to be measured.',
    session: hasSteps ? session : undefined,
  });
}

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
