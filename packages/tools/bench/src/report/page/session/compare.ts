import type { SessionReport } from '../../session-data.js';
import { element } from '../element.js';
import { figureTable } from '../figure-table.js';

/** The candidates of a session side by side. */
export function mountComparison(root: HTMLElement, { candidates, requests }: SessionReport): void {
  const table = figureTable({
    title: 'The whole session, with each candidate',
    note: `${requests.length} requests. Missing in %.`,
    sortedBy: 1,
    columns: [
      { title: 'Candidate', term: 'candidate' },
      { title: 'Missing', term: 'missing', better: 'less' },
      { title: 'Passage missing', term: 'passage missing', better: 'less' },
      { title: 'Cost', term: 'cost', better: 'less' },
      { title: 'Rewrites', term: 'rewrites', better: 'less' },
      { title: 'Largest', term: 'largest' },
      { title: 'Too large', term: 'too large', better: 'less' },
      { title: 'Invalid', term: 'invalid', better: 'less' },
    ],
    rows: candidates.map((one) => ({
      isRanked: true,
      cells: [
        one.candidate,
        Number((one.missRate * 100).toFixed(1)),
        Number((one.passageMissRate * 100).toFixed(1)),
        Number(one.cost.toFixed(2)),
        one.rewrites,
        one.tokens.reduce((high, next) => Math.max(high, next), 0),
        one.overflows,
        one.invalid,
      ],
    })),
  });
  root.append(element('div', { class: 'card' }, table));
}
