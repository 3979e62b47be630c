import {
  baselines,
  benchSession,
  type Candidate,
  ctxCandidates,
  loadCounter,
  type ReplayResult,
  replay,
  totalTokens,
} from '@ctx/bench/measure';
import { CtxError } from '@ctx/core';
import { exitCodes } from '../exit-codes.js';
import { unknownName } from '../names.js';
import type { Opened } from '../session/open.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { renderReplays } from './render.js';

export interface ReplayRequest {
  /** Tokens of the largest request. */
  readonly window?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

/** Tokens: the benchmark's larger limit. A window that a session nearly fits says little. */
const mostDefault = 64_000;

/** Without the peers, which need their libraries; `ctx bench` has them. */
const candidates: readonly Candidate[] = [...ctxCandidates, ...baselines].filter(
  ({ kind, replay: canReplay }) => canReplay !== undefined && kind !== 'control',
);

/** Replays a session under a window with every strategy. */
export async function runReplay(io: Io, { session, path }: Opened, request: ReplayRequest): Promise<number> {
  const chosen = chosenOf(request.only);
  const tokensOf = await loadCounter();
  const whole = benchSession(session, path);
  const tokens = totalTokens(whole.messages, tokensOf);
  const limit = request.window ?? Math.min(mostDefault, Math.ceil(tokens / 2));
  if (tokens <= limit)
    throw new CtxError({
      code: 'option-invalid',
      problem: `The session has ${tokens} tokens and never leaves the window`,
      place: '--window',
      value: limit,
      remedy: 'Give a smaller one.',
    });
  const progress = progressOn(io, 'replaying');
  const results: ReplayResult[] = [];
  try {
    for (const [index, candidate] of chosen.entries()) {
      const onStep = (done: number) => progress.step(candidate.name, (index + done) / chosen.length);
      const result = await replay(whole, candidate, { limit, tokensOf, common: new Set(), onStep });
      if (result !== undefined) results.push(result);
    }
  } finally {
    progress.done();
  }
  if (request.json === true) io.out(`${JSON.stringify({ tokens, limit, replays: results }, undefined, 2)}\n`);
  else io.out(renderReplays(results, { tokens, limit, width: io.columns, hasColor: io.hasColor }));
  return exitCodes.done;
}

function chosenOf(only: readonly string[] | undefined): readonly Candidate[] {
  const names = candidates.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName('--only', unknown, names);
  return candidates.filter(({ name }) => only === undefined || only.includes(name));
}
