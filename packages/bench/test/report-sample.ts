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
      return { candidate, tokens, usableCtx: candidate === 'none' ? 100 : 40 + next() * 50, fates, added };
    }),
  });
  const limits = [32000, 64000];
  return {
    createdAt: '2026-07-01T09:30:00.000Z',
    tables: limits.map((limit) => ({
      title: `Budget of ${limit} tokens`,
      columns: ['Candidate', 'Usable', 'Recall', 'Exact', 'Paths', 'Numbers', 'Quoted', 'Miss rate'],
      rows: candidates.map((name) => [
        name,
        ...Array.from({ length: 7 }, () => Number((next() * 100).toFixed(1))),
      ]),
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
