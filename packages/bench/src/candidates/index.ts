import { aiSdk } from './ai-sdk.js';
import { baselines } from './baselines.js';
import type { Candidate } from './candidate.js';
import { ctxCandidates } from './ctx.js';
import { langChain } from './langchain.js';

/** Our candidates, the peers, and the bounds for both. */
export const candidates: readonly Candidate[] = [...ctxCandidates, ...langChain, ...aiSdk, ...baselines];
