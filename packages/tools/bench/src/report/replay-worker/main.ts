/// <reference lib="webworker" />
import { readSessionText, type Session } from '@ctx/sessions';
import { loadCounter, totalTokens } from '../../count-tokens.js';
import { repaired } from '../../repair.js';
import { defaultLimit, replayedCandidates } from '../../replay-candidates.js';
import { sessionReport } from '../../session-report.js';
import type { ReplayAsked, ReplayTold } from './messages.js';

const tell = (told: ReplayTold) => postMessage(told);

addEventListener('message', ({ data }: MessageEvent<ReplayAsked>) => {
  replayed(data).then(tell, (error: unknown) =>
    tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});

async function replayed({ name, text, limit, conversation, createdAt }: ReplayAsked): Promise<ReplayTold> {
  const sessions: Session[] = [];
  for await (const session of readSessionText(text, name, { lenient: true })) sessions.push(session);
  const at = conversation ?? longestOf(sessions);
  const session = sessions[at];
  if (session === undefined) throw new Error('The file holds no conversation.');
  const tokensOf = await loadCounter();
  const messages = repaired(session.messages);
  const parts = await sessionReport(
    {
      id: session.id,
      source: session.format,
      model: { provider: session.provider, model: session.model },
      messages,
    },
    {
      limit: limit ?? defaultLimit(totalTokens(messages, tokensOf)),
      candidates: replayedCandidates,
      tokensOf,
      createdAt,
      onProgress: progress(),
    },
  );
  const { report, texts, steps } = parts;
  return {
    kind: 'done',
    parts: { report, texts, steps },
    conversations: sessions.map(({ id }) => id),
    conversation: at,
    skipped: session.skipped.length,
  };
}

function longestOf(sessions: readonly Session[]): number {
  const lengths = sessions.map(({ messages }) => messages.length);
  return lengths.indexOf(Math.max(...lengths));
}

/** Tells of each hundredth. */
function progress(): (what: string, done: number) => void {
  let told = -1;
  return (what, done) => {
    const now = Math.floor(done * 100);
    if (now === told) return;
    told = now;
    tell({ kind: 'progress', what, done });
  };
}
