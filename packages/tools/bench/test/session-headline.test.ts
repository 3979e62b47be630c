import { sessionHeadline } from '../src/report/render-session.js';
import type { SessionCandidate, SessionReport } from '../src/report/session-data.js';

const candidate = (name: string, missRate: number, cost: number) =>
  ({ candidate: name, missRate, cost, overflows: 0, invalid: 0 }) as SessionCandidate;
const report = (...candidates: SessionCandidate[]) =>
  ({ tokens: 100_000, limit: 64_000, candidates }) as unknown as SessionReport;

test('the headline of a session names the first candidate that costs less than to send everything', () => {
  const [first, second] = sessionHeadline(
    report(candidate('dear', 0.01, 1.2), candidate('good', 0.02, 0.5), candidate('cheap', 0.1, 0.3)),
  );
  expect(first).toContain('with good: 98 %');
  expect(second).toContain('The cheapest here is cheap');
});

test('where none costs less, it names the first that can be sent', () => {
  const [first] = sessionHeadline(report(candidate('dear', 0.01, 1.2), candidate('dearer', 0.02, 1.4)));
  expect(first).toContain('with dear: 99 %');
});
