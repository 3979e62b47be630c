import type { BenchSession, Candidate } from '@ctx/bench';
import {
  defaultLimit,
  loadCounter,
  replayedCandidates,
  type SessionParts,
  sessionReport,
  totalTokens,
} from '@ctx/bench/measure';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';

/** Tokens of a session whose steps a page can hold: a page of them has about half a megabyte. */
const mostTokens = 200_000;
/** So many candidates can be looked at one after the other. */
const mostCandidates = 4;

interface Measured {
  readonly sessions: readonly BenchSession[];
  readonly candidates: readonly Candidate[];
  /** ISO 8601. */
  readonly createdAt: string;
}

/** The steps of the longest session that a page can hold, with the first candidates that follow a session; undefined if there are none. */
export async function stepsOf(
  io: Io,
  { sessions, candidates, createdAt }: Measured,
): Promise<SessionParts | undefined> {
  const tokensOf = await loadCounter();
  const sized = sessions.map((session) => ({ session, tokens: totalTokens(session.messages, tokensOf) }));
  const [longest] = sized
    .filter(({ tokens }) => tokens <= mostTokens)
    .sort((one, other) => other.tokens - one.tokens);
  const names = candidates.map(({ name }) => name);
  const isUsual = ({ name }: Candidate) => name === 'default pipeline';
  const followed = replayedCandidates
    .filter(({ name }) => names.includes(name))
    .sort((one, other) => Number(isUsual(other)) - Number(isUsual(one)))
    .slice(0, mostCandidates);
  if (longest === undefined || followed.length === 0) return undefined;
  const progress = progressOn(io, 'replaying');
  return sessionReport(longest.session, {
    limit: defaultLimit(longest.tokens),
    candidates: followed,
    tokensOf,
    createdAt,
    onProgress: progress.step,
  }).finally(progress.done);
}
