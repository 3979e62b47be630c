import type { ReportData } from '../src/report/report-data.js';

const candidates = ['none', 'oldest-removal', 'hybrid', 'file-folding', 'condense'];

/** Numbers that look random but are the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** A report of replays under two limits with five candidates. */
export function sampleReport(): ReportData {
  const next = numbers(7);
  const limits = [32000, 64000];
  return {
    createdAt: '2026-07-01T09:30:00.000Z',
    sessions: 2,
    candidates: candidates.length,
    headline: ['96,000 tokens became 48,000 with hybrid.', 'Best here: hybrid.'],
    tables: limits.map((limit) => ({
      title: 'Whole sessions, replayed under a limit',
      choice: 'Limit',
      variant: `${limit} tokens`,
      columns: [
        { title: 'Candidate', term: 'candidate' },
        { title: 'Still there', term: 'still there', better: 'more' },
        { title: 'Rewrites', term: 'rewrites', better: 'less' },
        { title: 'Passage' },
        { title: 'Long ago', term: 'long ago', better: 'more' },
        { title: 'Cost', term: 'cost', better: 'less' },
        { title: 'Missing', term: 'missing', better: 'less' },
      ],
      rows: candidates.map((name) => ({
        isRanked: name !== 'none',
        cells: [
          name,
          { value: name === 'none' ? 100 : Number((next() * 99).toFixed(1)), error: 1.2 },
          name === 'none' ? 0 : 1 + Math.round(next() * 20),
          ...Array.from({ length: 4 }, () => Number((next() * 100).toFixed(1))),
        ],
      })),
      sortedBy: 1,
    })),
  };
}
