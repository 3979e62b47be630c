import {
  benchSession,
  type Candidate,
  defaultLimit,
  loadCounter,
  replayedCandidates,
  type SessionParts,
  sessionReport,
  totalTokens,
} from '@ctx/bench/measure';
import { CtxError } from '@ctx/core';
import { exitCodes } from '../exit-codes.js';
import { unknownName } from '../names.js';
import type { Opened } from '../session/open.js';
import { writeWhole } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { shownJson } from '../terminal/shown.js';
import { renderReplays } from './render.js';

export interface ReplayRequest {
  /** Tokens of the largest request. */
  readonly window?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  /** A file for a page that steps through the session. */
  readonly html?: string | undefined;
}

/** Replays a session under a window with every strategy. */
export async function runReplay(io: Io, { session, path }: Opened, request: ReplayRequest): Promise<number> {
  const chosen = chosenOf(request.only);
  const tokensOf = await loadCounter();
  const whole = benchSession(session, path);
  const tokens = totalTokens(whole.messages, tokensOf);
  const limit = request.window ?? defaultLimit(tokens);
  if (tokens <= limit)
    throw new CtxError({
      code: 'option-invalid',
      problem: `The session has ${tokens} tokens and never leaves the window`,
      place: '--window',
      value: limit,
      remedy: 'Give a smaller one.',
    });
  const progress = progressOn(io, 'replaying');
  const { results, ...parts } = await sessionReport(whole, {
    limit,
    candidates: chosen,
    tokensOf,
    createdAt: new Date(io.now()).toISOString(),
    onProgress: progress.step,
  }).finally(progress.done);
  if (request.json === true) io.out(`${shownJson({ tokens, limit, replays: results }, 2)}\n`);
  else io.out(renderReplays(results, { tokens, limit, width: io.columns, hasColor: io.hasColor }));
  if (request.html !== undefined) await writePage(io, parts, { out: request.html, source: path });
  return exitCodes.done;
}

/** Loaded here, because it brings the bundler. */
async function writePage(
  io: Io,
  parts: SessionParts,
  place: { readonly out: string; readonly source: string },
): Promise<void> {
  const { renderSession } = await import('@ctx/bench/session-page');
  await writeWhole(io, await renderSession(parts), place);
  io.err(`The page is in ${place.out}.\n`);
}

function chosenOf(only: readonly string[] | undefined): readonly Candidate[] {
  const names = replayedCandidates.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName('--only', unknown, names);
  return replayedCandidates.filter(({ name }) => only === undefined || only.includes(name));
}
