import {
  type CountTokens,
  type Cut,
  ctxCandidates,
  cutAt,
  cutsOf,
  type Recall,
  recallOf,
  repaired,
} from '@ctx/bench/measure';
import type { Message, ModelId } from '@ctx/core';
import { contextAt, type Session } from '@ctx/sessions';
import { compressSession } from '../compress/compress-session.js';
import { hasCode } from '../errors.js';
import { type AskedWindow, windowOf } from '../session/window.js';

/** What a compression to a share of the tokens frees, and what it keeps of what the agent used next. */
export interface Saving {
  /** 0–1 of `tokensBefore`, as `ctx compress --to` means it. */
  readonly share: number;
  /** Tokens of the messages in the file with their roles and marks: what `ctx compress` counts, and makes smaller. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly freed: number;
  /** Share, 0–1, of the names, paths and numbers that the agent used next and could only know from here; undefined if it used none. */
  readonly survival: number | undefined;
  /** The same, counted only where their line survives. */
  readonly survivalInContext: number | undefined;
  /** Whether survival is measured on what followed here, or at earlier places of the same session. */
  readonly measuredOn: 'what followed' | 'earlier places' | 'nothing';
  /** Number of places that it is measured at. */
  readonly places: number;
}

/** What messages are compressed to. */
const savingShares: readonly number[] = [0.5, 0.25, 0.125];
/** Where a session that has no future is cut instead, as shares of its messages. */
const earlierShares = [0.5, 0.65, 0.8];
/** Messages after a cut that show what was needed; the benchmark's figure. */
const horizon = 40;

interface SavingOptions extends AskedWindow {
  readonly tokensOf: CountTokens;
  /** @default savingShares */
  readonly shares?: readonly number[];
  readonly onStep?: (what: string, done: number) => void;
}

/** What could go at one place of a session, with the figures of `ctx compress`, and at what loss. */
export async function savingsAt(
  session: Session,
  at: number,
  { tokensOf, onStep, shares = savingShares, ...asked }: SavingOptions,
): Promise<Saving[]> {
  const here = cutHere(session, at, tokensOf);
  const past = pastOf(here, tokensOf);
  const measuredOn =
    here.needed.length > 0 ? 'what followed' : past.length > 0 ? 'earlier places' : 'nothing';
  const target = meansFor(session, 'default pipeline', tokensOf);
  const savings: Saving[] = [];
  for (const [index, share] of shares.entries()) {
    onStep?.(`to ${share * 100} %`, index / shares.length);
    const now = await unlessTooLarge(compressSession(session, { at, to: { share }, ...asked }));
    // What has to stay is larger than that, or is all there is.
    if (now === undefined || now.tokensAfter >= now.tokensBefore) continue;
    const { tokensBefore, tokensAfter } = now;
    const recalls = await recallsOf(past, share, target);
    savings.push({
      share,
      tokensBefore,
      tokensAfter,
      freed: tokensBefore - tokensAfter,
      survival: meanOf(recalls.map((one) => one.survival / 100)),
      survivalInContext: meanOf(recalls.map((one) => one.usableCtx / 100)),
      measuredOn,
      places: past.length,
    });
  }
  return savings;
}

/**
 * How much each candidate keeps of what the agent used next, 0–1, by its name and a share of the tokens; `undefined` where the agent used
 * nothing, or the candidate can't make it as small.
 */
export function usedNextIn(
  session: Session,
  tokensOf: CountTokens,
): (candidate: string, share: number) => Promise<number | undefined> {
  const past = pastOf(cutHere(session, session.messages.length, tokensOf), tokensOf);
  return async (candidate, share) => {
    const recalls = await recallsOf(past, share, meansFor(session, candidate, tokensOf));
    return meanOf(recalls.map((one) => one.usableCtx / 100));
  };
}

/** Where the loss is measured: here if something was used next, otherwise at earlier places. */
function pastOf(here: Cut, tokensOf: CountTokens): readonly Cut[] {
  return here.needed.length > 0 ? [here] : cutsOf(here.prefix, { tokensOf, shares: earlierShares });
}

/** The session cut at a place, with what was said next. A call without its result is closed, as a manager does. */
function cutHere(session: Session, at: number, tokensOf: CountTokens): Cut {
  const prefix = repaired(contextAt(session, at).messages);
  const next = session.messages.slice(at, at + horizon);
  const firstWhole = next.findIndex(({ role }) => role !== 'tool');
  const messages: Message[] = [...prefix, ...(firstWhole < 0 ? [] : next.slice(firstWhole))];
  return cutAt(messages, prefix.length, { tokensOf, horizon });
}

/** What compresses, for which model and window. */
interface Means {
  readonly model: ModelId;
  readonly tokensOf: CountTokens;
  readonly window: number;
  readonly by: (typeof ctxCandidates)[number];
}

function meansFor(session: Session, candidate: string, tokensOf: CountTokens): Means {
  const model = { provider: session.provider, model: session.model };
  const by = ctxCandidates.find(({ name }) => name === candidate) as Means['by'];
  return { model, tokensOf, window: windowOf(session, {}).window, by };
}

/** What of the session is left after a compression of what was said before each cut, unless what has to stay does not fit. */
async function recallsOf(
  cuts: readonly Cut[],
  share: number,
  { model, tokensOf, window: modelWindow, by }: Means,
): Promise<Recall[]> {
  const recalls: Recall[] = [];
  for (const cut of cuts) {
    const tokens = cut.systemTokens + cut.prefixTokens;
    // Nothing forces what was held before into less.
    const window = Math.max(modelWindow, tokens);
    const budget = Math.max(1, Math.floor(tokens * share));
    const made = await unlessTooLarge(by.compress({ cut, model, budget, window, tokensOf }));
    if (made !== undefined) recalls.push(recallOf(cut, made.messages, { budget: window, tokensOf }));
  }
  return recalls;
}

/** Undefined if what has to stay does not fit. */
export async function unlessTooLarge<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'context-overflow')) return undefined;
    throw error;
  }
}

function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, one) => sum + one, 0) / values.length;
}
