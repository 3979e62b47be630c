import type { Atom } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import type { Candidate } from './candidates/candidate.js';
import { type CountTokens, totalTokens } from './count-tokens.js';
import { labeller } from './message-label.js';
import { type ReplayResult, replay, usedAtoms } from './replay.js';
import type { ReplayRequest } from './replay-figures.js';
import type { SessionCandidate, SessionParts, SessionTexts } from './report/session-data.js';
import { holds } from './search.js';
import { textOf } from './spoken.js';
import { StepRecorder } from './step-recorder.js';

/** What a session's page is made from. */
export interface SessionReportOptions {
  /** Tokens of the largest request. */
  readonly limit: number;
  readonly candidates: readonly Candidate[];
  readonly tokensOf: CountTokens;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Called with the current work, and the share of all work that is done, 0–1. */
  onProgress?(what: string, done: number): void;
}

const nothingCommon: ReadonlySet<Atom> = new Set();

/** Replays a session with every candidate, and keeps what the model saw at each step. */
export async function sessionReport(
  session: BenchSession,
  { limit, candidates, tokensOf, createdAt, onProgress }: SessionReportOptions,
): Promise<SessionParts & { readonly results: readonly ReplayResult[] }> {
  const { messages } = session;
  const wholeCosts: number[] = [];
  const replayed: { readonly result: ReplayResult; readonly recorder: StepRecorder }[] = [];
  for (const [nth, candidate] of candidates.entries()) {
    const recorder = new StepRecorder(messages, tokensOf);
    const isFirst = replayed.length === 0;
    const result = await replay(session, candidate, {
      limit,
      tokensOf,
      common: nothingCommon,
      onStep: (done) => onProgress?.(candidate.name, (nth + done) / candidates.length),
      onRequest(request: ReplayRequest) {
        recorder.add(request);
        if (isFirst) wholeCosts.push(Math.round(request.wholeCost));
      },
    });
    if (result !== undefined) replayed.push({ result, recorder });
  }
  const order = replayed.toSorted(
    (a, b) => missRate(a.result) - missRate(b.result) || a.result.cost - b.result.cost,
  );
  const requests = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  return {
    results: replayed.map(({ result }) => result),
    report: {
      createdAt,
      session: session.id,
      limit,
      tokens: totalTokens(messages, tokensOf),
      messages: messages.length,
      requests,
      candidates: order.map(({ result }) => candidateOf(result)),
    },
    texts: { messages: textsOf(session, tokensOf), uses: usesOf(session, requests), costs: wholeCosts },
    steps: order.map(({ recorder }) => recorder.steps()),
  };
}

const missRate = ({ misses, uses }: ReplayResult) => misses / Math.max(1, uses);

function candidateOf(result: ReplayResult): SessionCandidate {
  const { candidate, cost, rewrites, overflows, invalid, tokens, passageMisses, uses } = result;
  const passageMissRate = passageMisses / Math.max(1, uses);
  return {
    candidate,
    missRate: missRate(result),
    passageMissRate,
    cost,
    rewrites,
    overflows,
    invalid,
    tokens,
  };
}

function textsOf({ messages }: BenchSession, tokensOf: CountTokens): SessionTexts['messages'] {
  const label = labeller(messages);
  return messages.map((message) => ({
    role: message.role,
    label: label(message),
    tokens: tokensOf(message),
    text: textOf(message),
  }));
}

function usesOf(session: BenchSession, requests: readonly number[]): SessionTexts['uses'] {
  const { messages } = session;
  const used = usedAtoms(session, nothingCommon);
  return requests.map((index) =>
    (used[index] ?? []).map((atom) => {
      let at = index - 1;
      while (at > 0 && !holds([messages[at] as (typeof messages)[number]], atom)) at -= 1;
      return [atom, at] as const;
    }),
  );
}
