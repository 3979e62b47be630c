import type { Hit, Matches, Weighted } from '../store.js';
import { Pairs } from './pairs.js';
import { byPlace, type Passage } from './passage.js';
import { longestQuery } from './query.js';
import { rarity } from './ranking.js';
import { termsOf } from './terms.js';

/** What a term is worth again in a further passage that has it: what was found once is rarely looked for a second time. */
const again = 0.5;
/** How much more a passage is worth that has a short query word for word. */
const phraseWeight = 3;
/** How much the tokens of a passage count against it: 0 is not at all, 1 is in full, which would prefer the shortest lines. */
const tokensExponent = 0.25;
/** Tokens of a usual handle and heading, which a passage costs besides its own. */
const headTokens = 10;
/** Characters. A longer query is a text, not something to look for as it stands. */
const longestPhrase = 100;

/** A hit whose worth falls when passages are chosen that have the same terms. */
interface Candidate {
  readonly passage: Passage;
  /** Its worth by itself. */
  readonly score: number;
  worth: number;
  /** Positions of the query's terms that it has; undefined until they are needed. */
  terms: readonly number[] | undefined;
  /** How many passages were chosen when its worth was reckoned. */
  asOf: number;
}

/** Where chosen passages go. */
export interface Room {
  /** Tokens. */
  readonly left: number;
  /** Takes a passage, if it is wanted and there is room for it. */
  take(passage: Passage): boolean;
}

/**
 * Goes through hits in the order of what each adds to those before it: one that says the same as another comes late. Only the terms of those
 * near the top are looked at.
 */
export function inOrderOfWorth({ hits, terms }: Matches, query: string, room: Room): void {
  // The best first; of equal ones the newer.
  const sorted = [...hits].sort((a, b) => b.score - a.score || byPlace(b.passage, a.passage));
  const candidates = withPairs(sorted, query).map(candidateOf(query));
  const positionOf = positionsOf(terms);
  const worths = terms.map(({ idf }) => idf);
  let chosen = 0;
  while (candidates.length > 0) {
    const at = bestOf(candidates);
    const best = candidates[at] as Candidate;
    const fits = best.passage.tokens <= room.left;
    if (fits && best.asOf < chosen) {
      best.terms ??= positionsIn(best.passage, positionOf);
      best.asOf = chosen;
      best.worth = best.score * newShare(best.terms, worths, terms);
      continue;
    }
    candidates.splice(at, 1);
    if (!fits || !room.take(best.passage)) continue;
    chosen += 1;
    best.terms ??= positionsIn(best.passage, positionOf);
    for (const position of best.terms) worths[position] = (worths[position] as number) * again;
  }
}

/** Hits with the worth of the words that are together in them as they do in the query. Of hits that have as much, the order stays. */
function withPairs(hits: readonly Hit[], query: string): readonly Hit[] {
  const pairs = new Pairs(query.slice(0, longestQuery));
  if (pairs.size === 0) return hits;
  const having = hits.map(({ passage }) => pairs.in(passage.text));
  const counts = new Map<number, number>();
  for (const some of having) for (const pair of some) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  return hits.map((hit, at) => {
    let score = hit.score;
    for (const pair of having[at] ?? []) score += rarity(counts.get(pair) as number, hits.length);
    return { ...hit, score };
  });
}

function candidateOf(query: string): (hit: Hit) => Candidate {
  const phrase = query.trim().toLowerCase();
  const isPhrase = phrase.length > 0 && phrase.length <= longestPhrase;
  return ({ passage, score, terms }) => {
    const whole = isPhrase && passage.text.toLowerCase().includes(phrase);
    const worth = whole ? score * phraseWeight : score;
    const perTokens = worth / (passage.tokens + headTokens) ** tokensExponent;
    return { passage, score: perTokens, worth: perTokens, terms, asOf: 0 };
  };
}

function bestOf(candidates: readonly Candidate[]): number {
  let best = 0;
  for (let at = 1; at < candidates.length; at += 1)
    if ((candidates[at] as Candidate).worth > (candidates[best] as Candidate).worth) best = at;
  return best;
}

interface Positions {
  readonly names: ReadonlyMap<string, number>;
  readonly words: ReadonlyMap<string, number>;
}

function positionsOf(terms: readonly Weighted[]): Positions {
  const positions = { names: new Map<string, number>(), words: new Map<string, number>() };
  for (const [position, { term }] of terms.entries()) positions[term.stream].set(term.text, position);
  return positions;
}

function positionsIn({ text, heading }: Passage, positionOf: Positions): number[] {
  const { names, words } = termsOf(`${heading}\n${text}`);
  const found = new Set<number>();
  for (const name of names) found.add(positionOf.names.get(name) ?? -1);
  for (const word of words) found.add(positionOf.words.get(word) ?? -1);
  found.delete(-1);
  return [...found];
}

/** How much of the worth of these terms is not found yet, 0–1. */
function newShare(
  positions: readonly number[],
  worths: readonly number[],
  terms: readonly Weighted[],
): number {
  let all = 0;
  let left = 0;
  for (const position of positions) {
    all += (terms[position] as Weighted).idf;
    left += worths[position] as number;
  }
  return all === 0 ? 1 : left / all;
}
