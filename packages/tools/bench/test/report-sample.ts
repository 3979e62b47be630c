import type { Outcome, ReportData, ReportFate, ReportMessage } from '../src/report/report-data.js';

const candidates = ['none', 'oldest-removal', 'hybrid', 'file-folding', 'condense'];

/** Numbers that look random but are the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function messageAt(at: number, next: () => number): ReportMessage {
  if (at === 0) return { role: 'system', label: 'system', tokens: 1400, text: 'You are a careful engineer.' };
  if (at % 24 === 1) {
    return {
      role: 'user',
      label: 'user',
      tokens: 80 + Math.round(next() * 300),
      text: 'Now fix the failing test.',
    };
  }
  if (at % 2 === 0) {
    const label = next() < 0.5 ? 'bash npm test' : 'read src/app.ts';
    return { role: 'assistant', label, tokens: 40 + Math.round(next() * 400), text: `I run ${label} next.` };
  }
  const tokens = Math.round(60 + 6000 * next() ** 3);
  const text = Array.from(
    { length: 20 },
    (_, line) => `${line + 1}  const value${line} = read('src/file-${at}.ts');`,
  );
  return { role: 'tool', label: `result of read src/file-${at}.ts`, tokens, text: text.join('\n') };
}

const gone: Record<string, readonly Outcome[]> = {
  none: ['kept'],
  'oldest-removal': ['dropped'],
  hybrid: ['cleared', 'truncated', 'kept'],
  'file-folding': ['folded', 'kept', 'excerpted'],
  condense: ['summarised'],
};

function fateOf(candidate: string, message: ReportMessage, isOld: boolean, next: () => number): ReportFate {
  const outcomes = gone[candidate] ?? ['kept'];
  const outcome = outcomes[Math.floor(next() * outcomes.length)] ?? 'kept';
  if (!isOld || message.role === 'system' || outcome === 'kept')
    return { outcome: 'kept', tokens: message.tokens };
  if (outcome === 'dropped' || outcome === 'summarised') {
    return { outcome, tokens: 0, reason: 'older than the last three turns' };
  }
  const after = outcome === 'cleared' ? '[cleared]' : `${message.text.slice(0, 60)}\n…`;
  const share = outcome === 'cleared' ? 0.02 : 0.1 + next() * 0.4;
  return {
    outcome,
    tokens: Math.ceil(message.tokens * share),
    after,
    reason: `the result is large (${outcome})`,
  };
}

/** A report of two timelines, replays under two limits and five candidates. */
export function sampleReport(messageCount = 200): ReportData {
  const next = numbers(7);
  const messages = Array.from({ length: messageCount }, (_, at) => messageAt(at, next));
  const timeline = (session: string, share: number): ReportData['timelines'][number] => ({
    session,
    source: 'coding',
    share,
    messages,
    candidates: candidates.map((candidate) => {
      const fates = messages.map((message, at) =>
        fateOf(candidate, message, at < messageCount * (1 - share), next),
      );
      const summary = {
        role: 'user',
        label: 'summary of 98 messages',
        tokens: 900,
        text: 'What was done so far: …',
      } as const;
      const added = candidate === 'condense' ? [summary] : [];
      const tokens = [...fates, ...added].reduce((sum, fate) => sum + fate.tokens, 0);
      const isRanked = candidate !== 'none';
      const usableCtx = isRanked ? 40 + next() * 50 : 100;
      return { candidate, tokens, usableCtx, isRanked, fates, added };
    }),
  });
  const limits = [32000, 64000];
  return {
    createdAt: '2026-07-01T09:30:00.000Z',
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
    timelines: [timeline('fix-login', 0.5), timeline('add-search', 0.25)],
    replays: limits.flatMap((limit) =>
      candidates.map((candidate, at) => {
        let tokens = 1500;
        return {
          session: 'fix-login',
          source: 'coding',
          limit,
          candidate,
          tokens: Array.from({ length: 100 }, () => {
            tokens += 200 + next() * 1200;
            if (candidate !== 'none' && tokens > limit * 0.95) tokens = limit * (0.35 + at * 0.08);
            return Math.round(tokens);
          }),
          rewrites: candidate === 'none' ? 0 : 4,
          missRate: candidate === 'none' ? 0 : 0.05 + next() * 0.2,
          cost: candidate === 'none' ? 1 : 0.4 + next() * 0.4,
        };
      }),
    ),
    points: limits.flatMap((limit) =>
      candidates.map((candidate) => ({
        candidate,
        limit,
        cost: candidate === 'none' ? 1 : 0.4 + next() * 0.4,
        missRate: candidate === 'none' ? 0 : 0.03 + next() * 0.2,
      })),
    ),
  };
}
