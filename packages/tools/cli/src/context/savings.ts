import {
  type CountTokens,
  type Cut,
  ctxCandidates,
  cutAt,
  cutsOf,
  recallOf,
  repaired,
} from '@ctx/bench/measure';
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
  /**
   * Share, 0–1, of the names, paths and numbers that the agent used next and could only know from here, of which the line is left;
   * undefined if it used none.
   */
  readonly survival: number | undefined;
  /** Whether survival is measured on what followed here, or at earlier places of the same session. */
  readonly measuredOn: 'what followed' | 'earlier places' | 'nothing';
  /** Number of places that it is measured at. */
  readonly places: number;
}

/** What messages are compressed to. */
const savingShares = [0.5, 0.25, 0.125];
/** Where a session that has no future is cut instead, as shares of its messages. */
const earlierShares = [0.5, 0.65, 0.8];
/** Messages after a cut that show what was needed; the benchmark's figure. */
const horizon = 40;

interface SavingOptions extends AskedWindow {
  readonly tokensOf: CountTokens;
  readonly onStep: (what: string, done: number) => void;
}

/** What could go at one place of a session, with the figures of `ctx compress`, and at what loss. */
export async function savingsAt(
  session: Session,
  at: number,
  { tokensOf, onStep, ...asked }: SavingOptions,
): Promise<Saving[]> {
  const { survivalOf, measuredOn, places } = lossOf(session, at, tokensOf);
  const savings: Saving[] = [];
  for (const [index, share] of savingShares.entries()) {
    onStep(`to ${share * 100} %`, index / savingShares.length);
    const now = await unlessTooLarge(compressSession(session, { at, to: { share }, ...asked }));
    // What has to stay is larger than that, or is all there is.
    if (now === undefined || now.tokensAfter >= now.tokensBefore) continue;
    const { tokensBefore, tokensAfter } = now;
    const survival = await survivalOf('default pipeline', share);
    const freed = tokensBefore - tokensAfter;
    savings.push({ share, tokensBefore, tokensAfter, freed, survival, measuredOn, places });
  }
  return savings;
}

/** How to measure what a compression loses: here if something was used next, otherwise at earlier places. */
export function lossOf(session: Session, at: number, tokensOf: CountTokens) {
  const here = cutHere(session, at, tokensOf);
  const isHere = here.needed.length > 0;
  const cuts = isHere ? [here] : cutsOf(here.prefix, { tokensOf, shares: earlierShares });
  const model = { provider: session.provider, model: session.model };
  const { window: modelWindow } = windowOf(session, {});
  const measuredOn: Saving['measuredOn'] = isHere
    ? 'what followed'
    : cuts.length > 0
      ? 'earlier places'
      : 'nothing';
  return {
    measuredOn,
    places: cuts.length,
    /** How much a candidate keeps of what the agent used next; undefined if it used nothing, or the candidate can't make it as small. */
    async survivalOf(candidate: string, share: number) {
      const by = ctxCandidates.find(({ name }) => name === candidate);
      const left: number[] = [];
      for (const cut of cuts) {
        const tokens = cut.systemTokens + cut.prefixTokens;
        // Nothing forces what was held before into less.
        const window = Math.max(modelWindow, tokens);
        const budget = Math.max(1, Math.floor(tokens * share));
        const made = by && (await unlessTooLarge(by.compress({ cut, model, budget, window, tokensOf })));
        if (made !== undefined)
          left.push(recallOf(cut, made.messages, { budget: window, tokensOf }).usableCtx / 100);
      }
      return left.length === 0 ? undefined : left.reduce((sum, one) => sum + one, 0) / left.length;
    },
  };
}

/** The session cut at a place, with what was said next. A call without its result is closed, as a manager does. */
function cutHere(session: Session, at: number, tokensOf: CountTokens): Cut {
  const prefix = repaired(contextAt(session, at).messages);
  const next = session.messages.slice(at, at + horizon);
  const firstWhole = next.findIndex(({ role }) => role !== 'tool');
  const messages = [...prefix, ...(firstWhole < 0 ? [] : next.slice(firstWhole))];
  return cutAt(messages, prefix.length, { tokensOf, horizon });
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
