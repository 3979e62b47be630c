import type { Atom } from './atoms.js';
import type { BenchSession } from './bench-session.js';
import type { Candidate } from './candidates/candidate.js';
import type { CountTokens } from './count-tokens.js';
import { cutsOf } from './cuts.js';
import { type Recall, recallOf } from './recall.js';

/** Shares of a prefix's tokens (without the system prompt) that it is compressed to. */
export const budgetShares: readonly number[] = [0.5, 0.25, 0.125];

/** One candidate on one cut at one budget. */
export interface CutResult extends Recall {
  readonly candidate: string;
  readonly kind: Candidate['kind'];
  readonly session: string;
  readonly source: string;
  /** Position of the cut in the session's messages. */
  readonly position: number;
  readonly share: number;
  /** Tokens: the share of the prefix plus its system prompt. */
  readonly budget: number;
  /** Tokens of the prefix, including its system prompt. */
  readonly tokensBefore: number;
  readonly needed: number;
  readonly ms: number;
}

interface StaticOptions {
  readonly tokensOf: CountTokens;
  readonly common: ReadonlySet<Atom>;
  readonly shares?: readonly number[];
  /** Says which of the session's cuts are measured. @default all */
  readonly hasCut?: (index: number) => boolean;
  /** Called before each compression, with the share of the session's compressions that is done, 0–1. */
  onStep?(what: string, done: number): void;
}

/** Compresses every cut of a session with every candidate. */
export async function measureCuts(
  session: BenchSession,
  candidates: readonly Candidate[],
  options: StaticOptions,
): Promise<CutResult[]> {
  const { tokensOf, common, shares = budgetShares, hasCut = () => true } = options;
  const results: CutResult[] = [];
  const cuts = cutsOf(session.messages, { tokensOf, common }).filter((_, index) => hasCut(index));
  const all = cuts.length * shares.length * candidates.length;
  let done = 0;
  for (const cut of cuts) {
    for (const share of shares) {
      const budget = cut.systemTokens + Math.floor(cut.prefixTokens * share);
      for (const candidate of candidates) {
        const what = `${session.id} at ${cut.position}: ${candidate.name} to ${share * 100} %`;
        options.onStep?.(what, done / all);
        done += 1;
        const compressed = await candidate.compress({ cut, model: session.model, budget, tokensOf });
        results.push({
          candidate: candidate.name,
          kind: candidate.kind,
          session: session.id,
          source: session.source,
          position: cut.position,
          share,
          budget,
          tokensBefore: cut.systemTokens + cut.prefixTokens,
          needed: cut.needed.length,
          ms: compressed.ms,
          ...recallOf(cut, compressed.messages, { budget, tokensOf }),
        });
      }
    }
  }
  return results;
}
