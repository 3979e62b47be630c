import { ownPack, ownSection } from './own-session.js';
import { packed } from './pack.js';
import { pageOf } from './page-shell.js';
import { timeOf } from './render-report.js';
import type { SessionParts } from './session-data.js';
import { sessionHeadline } from './session-headline.js';

/** Makes one HTML page that steps through a session: at each request what the model saw with each candidate. The page loads nothing. */
export async function renderSession({ report, texts, steps }: SessionParts): Promise<string> {
  const { session, createdAt, messages, requests, candidates } = report;
  const facts = [timeOf(createdAt), `${messages} messages`, `${requests.length} requests`, session];
  const sections = [
    {
      id: 'steps',
      title: 'Step by step',
      lead: 'Move the slider to a request. Below it stands what the model saw then with the chosen candidate, what its answer needed and did not have, and the cost so far.',
    },
    {
      id: 'compare',
      title: 'The candidates side by side',
      lead: 'A star marks the best of a column. A question mark explains a word.',
    },
    ownSection,
  ];
  return pageOf({
    title: 'A session, step by step',
    facts: facts.join(' · '),
    headline: sessionHeadline(report),
    sections: candidates.length === 0 ? [ownSection] : sections,
    empty: '',
    data: { session: report },
    packs: {
      texts: packed(texts),
      ...Object.fromEntries(steps.map((one, at) => [`steps-${at}`, packed(one)])),
      ...(await ownPack()),
    },
  });
}
