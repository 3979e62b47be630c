import type { Message } from '@ctx/core';
import { repaired } from '../src/bench-session.js';
import { loadCounter } from '../src/count-tokens.js';
import { replayedCandidates } from '../src/replay-candidates.js';
import type { SessionParts } from '../src/report/session-data.js';
import { sessionReport } from '../src/session-report.js';

/** What the agent reads at first and needs again at the end, when it has left a small window. */
export const earlyPath = 'src/lost/early-choice.ts';

/** A session of reads, each long; the first is used again by the last answer. @param texts put into the results */
export function readingSession(rounds: number, texts: readonly string[] = []): Message[] {
  const said: Message[] = [{ role: 'user', content: 'Find out where the port is chosen.' }];
  for (let round = 0; round < rounds; round += 1) {
    const path = round === 0 ? earlyPath : `src/part-${round}.ts`;
    const lines = Array.from(
      { length: 30 },
      (_, at) => `export const value${round}x${at} = ${round * 100 + at};`,
    );
    said.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `I read part ${round}.` },
          { type: 'tool-call', toolCallId: `c${round}`, toolName: 'read', input: { path } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: `c${round}`,
            toolName: 'read',
            output: [`// ${path}`, ...lines, texts[round % Math.max(1, texts.length)] ?? ''].join('\n'),
          },
        ],
      },
    );
  }
  said.push({ role: 'assistant', content: `The port is chosen in ${earlyPath}, by value0x7.` });
  return repaired(said);
}

/** A replayed session. */
export async function replayedSession(
  messages: readonly Message[],
  names: readonly string[] = ['keep-last', 'relevance', 'tool-results'],
  id = 'reading',
): Promise<SessionParts> {
  const { report, texts, steps } = await sessionReport(
    { id, source: 'made', model: {}, messages },
    {
      limit: 3_000,
      candidates: replayedCandidates.filter(({ name }) => names.includes(name)),
      tokensOf: await loadCounter(),
      createdAt: '2026-07-01T09:30:00.000Z',
    },
  );
  return { report, texts, steps };
}
