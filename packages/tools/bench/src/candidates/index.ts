import { baselines } from './baselines.js';
import type { Candidate } from './candidate.js';
import { ctxCandidates } from './ctx.js';
import { peers } from './peers.js';

/** Our candidates, the peers, and the bounds for both. */
export const candidates: readonly Candidate[] = [...ctxCandidates, ...peers, ...baselines];
