import type { Message } from '@ctx/core';
import { mean } from '../averages.js';
import type { BenchSession } from '../bench-session.js';
import { CachedCost } from '../cached-cost.js';
import type { Candidate } from '../candidates/candidate.js';
import { type CountTokens, totalTokens } from '../count-tokens.js';
import { textOf } from '../spoken.js';
import { type Planted, plantedTexts, streamOf } from './stream.js';

/** One candidate after many compressions of one conversation. */
export interface CycleResult {
  readonly candidate: string;
  readonly kind: Candidate['kind'];
  readonly limit: number;
  /** Fewer than were asked for if its views grew far over the limit. */
  readonly compressions: number;
  /** Mean tokens that a compression freed, of the first ten and of the last ten. */
  readonly firstFreed: number;
  readonly lastFreed: number;
  readonly rules: number;
  /** Rules said once at the beginning that are in the last view word for word. */
  readonly rulesKept: number;
  readonly facts: number;
  readonly factsKept: number;
}

interface CycleOptions {
  readonly tokensOf: CountTokens;
  /** Tokens of a request. @default 32000 */
  readonly limit?: number;
  /** @default 100 */
  readonly compressions?: number;
  onStep?(done: number): void;
}

/** How many compressions at the beginning and at the end are compared. */
const compared = 10;
/** A view of as many times the limit is of a candidate that cannot reach it; nothing more is asked of it. */
const hopeless = 2;
/** Messages after which a candidate that hardly compresses is left alone. */
const mostMessages = 100_000;

/**
 * Feeds sessions, joined to one long conversation, to a candidate until it has compressed so often. Undefined for a candidate that can't be
 * replayed, and if there is too little to compress.
 */
export async function measureCycles(
  sessions: readonly BenchSession[],
  candidate: Candidate,
  { tokensOf, limit = 32_000, compressions = 100, onStep }: CycleOptions,
): Promise<CycleResult | undefined> {
  const replayed = candidate.replay?.({ model: {}, limit, tokensOf });
  if (replayed === undefined || candidate.kind === 'control' || candidate.kind === 'bound') return undefined;
  const planted = plantedTexts();
  const sent = new CachedCost(tokensOf);
  const freed: number[] = [];
  let [size, seen] = [0, 0];
  let view: readonly Message[] = [];
  for (const message of streamOf(sessions, planted)) {
    if (message.role === 'assistant') {
      view = await replayed.view();
      const tokens = totalTokens(view, tokensOf);
      if (tokens > hopeless * limit) break;
      if (!sent.add(view)) {
        freed.push(size - tokens);
        onStep?.(freed.length / compressions);
        if (freed.length >= compressions) break;
      }
      size = tokens;
    }
    seen += 1;
    if (seen > mostMessages) break;
    replayed.append(message);
    size += tokensOf(message);
  }
  if (freed.length === 0) return undefined;
  return { candidate: candidate.name, kind: candidate.kind, limit, ...figuresOf(freed, view, planted) };
}

function figuresOf(freed: readonly number[], view: readonly Message[], { rules, facts }: Planted) {
  const texts = view.map(textOf);
  const kept = (said: readonly string[]) =>
    said.filter((one) => texts.some((text) => text.includes(one))).length;
  return {
    compressions: freed.length,
    firstFreed: mean(freed.slice(0, compared)),
    lastFreed: mean(freed.slice(-compared)),
    rules: rules.length,
    rulesKept: kept(rules),
    facts: facts.length,
    factsKept: kept(facts),
  };
}
