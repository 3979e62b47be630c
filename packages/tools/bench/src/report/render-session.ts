import type { Table } from '../table-cells.js';
import { pageOf, timeOf } from './page-shell.js';
import { steps } from './render-report.js';
import type { SessionCandidate, SessionParts } from './session-data.js';
import { sessionHeadline } from './session-headline.js';
import { tablesHtml, termsHtml } from './table-html.js';
import { terms } from './terms.js';

/** Makes one HTML page that steps through a session: at each request what the model saw with each candidate. The page loads nothing. */
export function renderSession(parts: SessionParts): Promise<string> {
  const { session, createdAt, messages, requests, candidates } = parts.report;
  const compared = {
    id: 'compare',
    title: 'The candidates side by side',
    lead: 'The whole session, with each candidate.',
    html: tablesHtml([comparison(candidates, requests.length)]) + termsHtml(terms),
  };
  return pageOf({
    title: 'A session, step by step',
    facts: [timeOf(createdAt), `${messages} messages`, `${requests.length} requests`, session].join(' · '),
    headline: sessionHeadline(parts.report),
    sections: candidates.length === 0 ? [] : [steps, compared],
    empty: 'The session always fits, so there is nothing to replay.',
    session: parts,
  });
}

function comparison(candidates: readonly SessionCandidate[], requests: number): Table {
  const largest = ({ tokens }: SessionCandidate) => tokens.reduce((high, next) => Math.max(high, next), 0);
  return {
    title: `${requests} requests`,
    columns: [
      'candidate',
      'misses %',
      'passage misses %',
      'cost',
      'rewrites',
      'largest request',
      'overflows',
      'invalid',
    ],
    rows: candidates.map((one) => [
      one.candidate,
      (one.missRate * 100).toFixed(1),
      (one.passageMissRate * 100).toFixed(1),
      one.cost.toFixed(2),
      one.rewrites,
      largest(one).toLocaleString('en-US'),
      one.overflows,
      one.invalid,
    ]),
  };
}
