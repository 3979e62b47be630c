import type { Message } from '@ctx/core';
import { occursIn } from '../atoms.js';
import type { BenchSession } from '../bench-session.js';
import type { Candidate } from '../candidates/candidate.js';
import type { CountTokens } from '../count-tokens.js';
import { type Cut, cutsOf, type NeededAtom } from '../cuts.js';
import { spokenBy, textOf } from '../spoken.js';
import { budgetShares } from '../static-cuts.js';
import { LeftView } from './left-view.js';
import { without, wordsBefore } from './step-words.js';

/** What a model may know when it recalls what a step needs, the least first. */
export const recallQueries = [
  'before the step',
  'blind',
  'as written',
  'by handle, blind',
  'by handle',
] as const;
type RecallQuery = (typeof recallQueries)[number];

/** Tokens of an answer. */
export const recallLimits: readonly number[] = [500, 1_000, 2_000];

/** The share of missed atoms that recall finds, for one cut, compressed to one budget. */
export interface CutRecall {
  readonly candidate: string;
  readonly source: string;
  readonly session: string;
  readonly share: number;
  readonly query: RecallQuery;
  readonly limit: number;
  /** Atoms that the view misses. */
  readonly missed: number;
  /** 0–100. */
  readonly found: number;
}

interface CutRecallOptions {
  readonly tokensOf: CountTokens;
  readonly common: ReadonlySet<string>;
  onStep?(what: string): void;
}

/** Compresses each cut, and recalls what later steps use and the view misses. */
export async function measureCutRecalls(
  session: BenchSession,
  candidate: Candidate,
  { tokensOf, common, onStep }: CutRecallOptions,
): Promise<CutRecall[]> {
  const results: CutRecall[] = [];
  for (const cut of cutsOf(session.messages, { tokensOf, common })) {
    for (const share of budgetShares) {
      onStep?.(`${session.id} at ${cut.position}: recall at ${share * 100} %`);
      const budget = cut.systemTokens + Math.floor(cut.prefixTokens * share);
      const { messages } = await candidate.compress({ cut, model: session.model, budget, tokensOf });
      const about = { candidate: candidate.name, source: session.source, session: session.id, share };
      for (const found of await recallsOf(session.messages, cut, messages, tokensOf))
        results.push({ ...about, ...found });
    }
  }
  return results;
}

async function recallsOf(
  messages: readonly Message[],
  cut: Cut,
  view: readonly Message[],
  tokensOf: CountTokens,
): Promise<Pick<CutRecall, 'query' | 'limit' | 'missed' | 'found'>[]> {
  const seen = view.map(textOf).join('\n');
  const missed = cut.needed.filter(({ atom }) => !occursIn(atom, seen));
  if (missed.length === 0) return [];
  const left = new LeftView(cut.prefix, tokensOf);
  await left.update(view);
  const results = [];
  for (const query of recallQueries) {
    for (const limit of recallLimits) {
      let found = 0;
      for (const step of new Set(missed.map(({ usedAt }) => usedAt)))
        found += await foundBy(left, query, { messages, step, missed, limit });
      results.push({ query, limit, missed: missed.length, found: (100 * found) / missed.length });
    }
  }
  return results;
}

interface Asked {
  readonly messages: readonly Message[];
  readonly step: number;
  readonly missed: readonly NeededAtom[];
  readonly limit: number;
}

/** How many of the atoms of a step are in what a query recalls. */
async function foundBy(
  left: LeftView,
  query: RecallQuery,
  { messages, step, missed, limit }: Asked,
): Promise<number> {
  const atoms = missed.filter(({ usedAt }) => usedAt === step);
  const written = spokenBy(messages[step] as Message);
  const names = missed.map(({ atom }) => atom);
  const blind = () => without(written, names);
  if (query === 'by handle' || query === 'by handle, blind') {
    let found = 0;
    for (const { atom, heldAt } of atoms) {
      const ref = `#m${(heldAt.at(-1) as number) + 1}`;
      const words = query === 'by handle' ? atom : blind();
      if (occursIn(atom, await left.recalled({ ref, query: words }, limit))) found += 1;
    }
    return found;
  }
  const words = query === 'as written' ? written : query === 'blind' ? blind() : wordsBefore(messages, step);
  const answer = await left.recalled({ query: words }, limit);
  return atoms.filter(({ atom }) => occursIn(atom, answer)).length;
}
