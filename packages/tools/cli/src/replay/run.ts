import {
  benchSession,
  defaultLimit,
  loadCounter,
  type RequestPrices,
  replayedCandidates,
  replayPage,
  replaySession,
  totalTokens,
} from '@ctx/bench/measure';
import { CtxError } from '@ctx/core';
import { exitCodes } from '../exit-codes.js';
import { candidatesNamed } from '../names.js';
import type { Opened } from '../session/open.js';
import { writeWhole } from '../session/write.js';
import type { Io } from '../terminal/io.js';
import { progressOn } from '../terminal/progress.js';
import { counted, figure, shownJson } from '../terminal/shown.js';
import { renderReplays } from './render.js';
import { reportedCost } from './reported-cost.js';
import { sessionPrices } from './request-prices.js';
import { type RequestScale, requestScale } from './request-scale.js';

export interface ReplayRequest {
  /** Tokens of the largest request. */
  readonly window?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
  /** A file for a page with the size of each request and what each compression wrote. */
  readonly html?: string | undefined;
}

/** Replays a session under a window with every strategy. */
export async function runReplay(io: Io, { session, path }: Opened, request: ReplayRequest): Promise<number> {
  const chosen = candidatesNamed(replayedCandidates, request.only);
  const tokensOf = await loadCounter();
  const whole = benchSession(session, path);
  const said = totalTokens(whole.messages, tokensOf);
  const prices = sessionPrices(session);
  const scale = requestScale(session, tokensOf, prices);
  const tokens = scale.requestTokens(said);
  const limit = request.window ?? scale.requestTokens(defaultLimit(said));
  const room = scale.messageTokens(limit);
  refuseWindow({ limit, tokens, room }, scale);
  const progress = progressOn(io, 'replaying');
  const replayed = await replaySession(whole, {
    limit: room,
    candidates: chosen,
    tokensOf,
    prices: cachePrices(prices.requests.at(-1)),
    requestPrices: prices.requests,
    onProgress: progress.step,
  }).finally(progress.done);
  const replays = replayed.replays.map(({ result }) => ({
    ...scale.scaled(result, replayed.wholeCost),
    limit,
  }));
  const { hidden } = scale;
  const { unit, models } = prices;
  const look = { tokens, limit, hidden, unit, models, reported: reportedCost(session) };
  if (request.json === true) io.out(`${shownJson({ ...look, replays }, 2)}\n`);
  else io.out(renderReplays(replays, look, io));
  if (request.html === undefined) return exitCodes.done;
  const page = replayPage(replayed, { createdAt: new Date(io.now()).toISOString() });
  await writeWhole(io, page, { out: request.html, source: path });
  io.err(`The page is in ${request.html}.\n`);
  if (hidden > 0)
    io.err(`It counts messages only; ${figure(hidden)} tokens of system prompt and tools come on top.\n`);
  return exitCodes.done;
}

/** Those of the model that answered last. */
const cachePrices = (last: RequestPrices | undefined) =>
  last && { cacheRead: last.cacheRead, cacheWrite: last.cacheWrite };

function refuseWindow(
  { limit, tokens, room }: { readonly limit: number; readonly tokens: number; readonly room: number },
  { hidden }: RequestScale,
): void {
  if (tokens > limit && room > 0) return;
  throw new CtxError({
    code: 'option-invalid',
    problem:
      tokens <= limit
        ? `What can be replayed of the session has ${counted(tokens, 'token')} and always fits the window`
        : `The system prompt and the tools, which are not in the file, have ${hidden} tokens and fill the window`,
    place: '--window',
    value: limit,
    remedy: tokens <= limit ? 'Give a smaller one, or a longer session.' : 'Give a larger one.',
  });
}
