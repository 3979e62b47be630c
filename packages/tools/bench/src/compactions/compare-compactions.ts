import type { Message } from '@ctx/core';
import { type Atom, occursIn } from '../atoms.js';
import type { BenchSession } from '../bench-session.js';
import { baselines } from '../candidates/baselines.js';
import type { Candidate } from '../candidates/candidate.js';
import { defaultCandidate } from '../candidates/ctx.js';
import type { CountTokens } from '../count-tokens.js';
import { totalTokens } from '../count-tokens.js';
import { cutAt } from '../cuts.js';
import { textOf } from '../spoken.js';
import { holderOf } from './relative-path.js';

/** What can be in place of the messages before a compaction. */
export const compactionHolders = [
  "the agent's own summary",
  'keep-last, same size',
  'default pipeline, same size',
  'default pipeline, twice the size',
  'summary beside default pipeline, each of the same size',
] as const;
type CompactionHolder = (typeof compactionHolders)[number];

/** What one of them holds at one compaction. Shares are 0–100. */
export interface CompactionResult {
  readonly holder: CompactionHolder;
  readonly session: string;
  readonly source: string;
  /** Of the session's compactions, from 0. */
  readonly number: number;
  /** Number of atoms that the agent uses in its next messages and that were said before the compaction. */
  readonly needed: number;
  readonly tokens: number;
  /** The atoms held, as they were used. 0 if a compression is larger than it may be. */
  readonly strict: number;
  /** Those held if a path may be written relative to a folder. */
  readonly relative: number;
}

interface CompactionOptions {
  readonly tokensOf: CountTokens;
  readonly common: ReadonlySet<Atom>;
}

/** At each compaction of a session, compares the agent's own summary with compressions of what it stands for. */
export async function compareCompactions(
  session: BenchSession,
  { tokensOf, common }: CompactionOptions,
): Promise<CompactionResult[]> {
  const results: CompactionResult[] = [];
  for (const [number, { before, after, summary }] of (session.compactions ?? []).entries()) {
    const cut = cutAt([...before, ...after], before.length, { tokensOf, common });
    if (summary === undefined || cut.needed.length === 0) continue;
    const size = tokensOf.text(summary);
    const compressed = async ({ compress }: Candidate, tokens: number) => {
      const budget = cut.systemTokens + tokens;
      const { messages } = await compress({ cut, model: session.model, budget, tokensOf });
      const said = messages.filter(({ role }) => role !== 'system');
      return totalTokens(messages, tokensOf) > budget
        ? ''
        : said.map((one: Message) => textOf(one)).join('\n');
    };
    const ours = await compressed(defaultCandidate, size);
    const texts = [
      summary,
      await compressed(keepLast, size),
      ours,
      await compressed(defaultCandidate, 2 * size),
      `${summary}\n${ours}`,
    ];
    for (const [index, text] of texts.entries()) {
      const share = (holds: (atom: Atom) => boolean) =>
        (100 * cut.needed.filter(({ atom }) => holds(atom)).length) / cut.needed.length;
      results.push({
        holder: compactionHolders[index] as CompactionHolder,
        session: session.id,
        source: session.source,
        number,
        needed: cut.needed.length,
        tokens: tokensOf.text(text),
        strict: share((atom) => occursIn(atom, text)),
        relative: share(holderOf(text)),
      });
    }
  }
  return results;
}

const keepLast = baselines.find(({ name }) => name === 'keep-last') as Candidate;
