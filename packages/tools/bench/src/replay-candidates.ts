import { baselines } from './candidates/baselines.js';
import type { Candidate } from './candidates/candidate.js';
import { ctxCandidates } from './candidates/ctx.js';

/** The candidates that follow a session without libraries of others: our strategies and the simple methods. */
export const replayedCandidates: readonly Candidate[] = [...ctxCandidates, ...baselines].filter(
  ({ kind, replay }) => replay !== undefined && kind !== 'control',
);

/** Tokens: the benchmark's larger limit. A window that a session nearly fits says little. */
const mostDefault = 64_000;

/** The limit that a session is replayed under if none is given: half of its tokens, at most 64,000. */
export const defaultLimit = (tokens: number): number => Math.min(mostDefault, Math.ceil(tokens / 2));
