import type { Message } from '@ctx/core';
import type { Atom } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import type { Candidate } from './candidates/candidate.js';
import { totalTokens } from './count-tokens.js';
import { type ReplayOptions, type ReplayResult, replay } from './replay.js';

/** A request that does not extend the one before: a candidate made the conversation smaller. */
export interface Compression {
  /** Of the session's requests, from 1. */
  readonly request: number;
  /** Tokens of the view. */
  readonly tokens: number;
  /** Messages of the session that are not in the view as they were. */
  readonly left: number;
  /** Messages of the view that were neither in the session nor in the view before. */
  readonly made: readonly Message[];
  /** What answers used and views did not hold, from this request to the next compression. */
  readonly missed: readonly Atom[];
}

/** A session replayed with several candidates. */
export interface SessionReplay {
  readonly session: string;
  readonly limit: number;
  /** Of the whole session. */
  readonly tokens: number;
  readonly messages: number;
  /** Price of sending everything, in tokens at full price or in that of the requests' own prices. */
  readonly wholeCost: number;
  /** Those that miss least first. */
  readonly replays: readonly {
    readonly result: ReplayResult;
    readonly compressions: readonly Compression[];
  }[];
}

interface SessionReplayOptions extends Omit<ReplayOptions, 'common' | 'onStep' | 'onRequest'> {
  readonly candidates: readonly Candidate[];
  /** Called with the current work, and the share of all work that is done, 0–1. */
  onProgress?(what: string, done: number): void;
}

export const missRate = ({ misses, uses }: ReplayResult): number => misses / Math.max(1, uses);

/** Replays a session with every candidate that can be replayed, and keeps what each compression made. */
export async function replaySession(
  session: BenchSession,
  { candidates, onProgress, ...options }: SessionReplayOptions,
): Promise<SessionReplay> {
  const { id, messages } = session;
  const { limit, tokensOf } = options;
  const replays: SessionReplay['replays'][number][] = [];
  let wholeCost = 0;
  for (const [nth, candidate] of candidates.entries()) {
    const compressions: (Compression & { readonly missed: Atom[] })[] = [];
    const known = new Set(messages);
    let [request, before]: [number, readonly Message[]] = [0, []];
    const result = await replay(session, candidate, {
      ...options,
      common: new Set(),
      onStep: (done) => onProgress?.(candidate.name, (nth + done) / candidates.length),
      onRequest({ index, view, missed, wholeCost: cost }) {
        request += 1;
        wholeCost = Math.max(wholeCost, cost);
        if (before.some((message, at) => view[at] !== message)) {
          const shown = new Set(view);
          const left = messages.slice(0, index).filter((message) => !shown.has(message)).length;
          const made = view.filter((message) => !known.has(message));
          compressions.push({ request, tokens: totalTokens(view, tokensOf), left, made, missed: [] });
          for (const message of made) known.add(message);
        }
        before = view;
        compressions.at(-1)?.missed.push(...missed);
      },
    });
    if (result !== undefined) replays.push({ result, compressions });
  }
  replays.sort((a, b) => missRate(a.result) - missRate(b.result) || a.result.cost - b.result.cost);
  return {
    session: id,
    limit,
    tokens: totalTokens(messages, tokensOf),
    messages: messages.length,
    wholeCost,
    replays,
  };
}
