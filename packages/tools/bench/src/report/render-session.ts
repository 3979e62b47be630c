import { pageOf } from './page-shell.js';
import { steps, timeOf } from './render-report.js';
import type { SessionParts } from './session-data.js';
import { sessionHeadline } from './session-headline.js';

/** Makes one HTML page that steps through a session: at each request what the model saw with each candidate. The page loads nothing. */
export function renderSession(parts: SessionParts): Promise<string> {
  const { session, createdAt, messages, requests, candidates } = parts.report;
  const compare = {
    id: 'compare',
    title: 'The candidates side by side',
    lead: 'A star marks the best of a column, unless several are as good. A question mark explains a word.',
  };
  return pageOf({
    title: 'A session, step by step',
    facts: [timeOf(createdAt), `${messages} messages`, `${requests.length} requests`, session].join(' · '),
    headline: sessionHeadline(parts.report),
    sections: candidates.length === 0 ? [] : [steps, compare],
    empty: 'The session always fits, so there is nothing to replay.',
    session: parts,
  });
}
