import type { ArchivePassage } from '@ctx/core';
import { refText } from '../ref.js';
import type { Hit, Matches, Passage, Weighted } from '../store.js';
import { byPlace } from './passage.js';
import { termsOf } from './terms.js';

type TokensOf = (text: string) => number;

/** What a term is worth again in a further passage that has it: what was found once is rarely looked for a second time. */
const again = 0.5;
/** How much more a passage is worth that has a short query word for word. */
const phraseWeight = 3;
/** How much the tokens of a passage count against it: 0 is not at all, 1 is in full, which would prefer the shortest lines. */
const tokensExponent = 0.25;
/** Tokens of a usual handle and heading, which a passage costs besides its own. */
const usualHead = 10;
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

interface Asked {
  readonly query: string;
  readonly conversation: string;
  readonly maxTokens: number;
}

/**
 * The passages of a search that fit, each chosen by what it adds to those before it: one that says the same as another comes late. Neighbours
 * are one result; results are in the order of their worth.
 */
export function bestThatFit(
  { hits, terms }: Matches,
  { query, conversation, maxTokens }: Asked,
  tokensOf: TokensOf,
): ArchivePassage[] {
  // The best first; of equal ones the newer.
  const sorted = [...hits].sort((a, b) => b.score - a.score || byPlace(b.passage, a.passage));
  const candidates = sorted.map(candidateOf(query));
  const positions = new Map(terms.map(({ term }, at) => [`${term.stream} ${term.text}`, at]));
  const worths = terms.map(({ idf }) => idf);
  const groups: Passage[][] = [];
  let [left, chosen] = [maxTokens, 0];
  while (candidates.length > 0) {
    const at = bestOf(candidates);
    const best = candidates[at] as Candidate;
    const { passage } = best;
    // Only the terms of those near the top are looked at.
    if (passage.tokens <= left) best.terms ??= positionsIn(passage, positions);
    if (passage.tokens <= left && best.asOf < chosen) {
      best.asOf = chosen;
      best.worth = best.score * newShare(best.terms ?? [], worths, terms);
      continue;
    }
    candidates.splice(at, 1);
    const group = groups.find((some) => some.some((other) => areNeighbours(other, passage)));
    const cost = passage.tokens + (group === undefined ? headTokens(passage, tokensOf) : 0);
    if (cost > left) continue;
    left -= cost;
    if (group === undefined) groups.push([passage]);
    else group.push(passage);
    chosen += 1;
    for (const position of best.terms ?? []) worths[position] = (worths[position] as number) * again;
  }
  return groups.map((group) => resultOf(group.sort(byPlace), conversation, tokensOf));
}

function candidateOf(query: string): (hit: Hit) => Candidate {
  const phrase = query.trim().toLowerCase();
  const isPhrase = phrase.length > 0 && phrase.length <= longestPhrase;
  return ({ passage, score }) => {
    const whole = isPhrase && passage.text.toLowerCase().includes(phrase);
    const perTokens = (whole ? score * phraseWeight : score) / (passage.tokens + usualHead) ** tokensExponent;
    return { passage, score: perTokens, worth: perTokens, terms: undefined, asOf: 0 };
  };
}

function bestOf(candidates: readonly Candidate[]): number {
  let best = 0;
  for (let at = 1; at < candidates.length; at += 1)
    if ((candidates[at] as Candidate).worth > (candidates[best] as Candidate).worth) best = at;
  return best;
}

function positionsIn({ text, heading }: Passage, positions: ReadonlyMap<string, number>): number[] {
  const { names, words } = termsOf(`${heading}\n${text}`);
  const found = new Set<number>();
  for (const name of names) found.add(positions.get(`names ${name}`) ?? -1);
  for (const word of words) found.add(positions.get(`words ${word}`) ?? -1);
  found.delete(-1);
  return [...found];
}

/** How much of the worth of these terms is not found yet, 0–1. */
function newShare(
  positions: readonly number[],
  worths: readonly number[],
  terms: readonly Weighted[],
): number {
  let [all, left] = [0, 0];
  for (const position of positions) {
    all += (terms[position] as Weighted).idf;
    left += worths[position] as number;
  }
  return all === 0 ? 1 : left / all;
}

function areNeighbours(a: Passage, b: Passage): boolean {
  return a.message === b.message && a.part === b.part && Math.abs(a.passage - b.passage) === 1;
}

/** Tokens of the line above a result: its handle and its heading. */
function headTokens({ message, firstLine, lastLine, heading }: Passage, tokensOf: TokensOf): number {
  return tokensOf(`${refText({ message, lines: { first: firstLine, last: lastLine } })} ${heading}\n`);
}

/** Neighbouring passages as one result. */
function resultOf(passages: readonly Passage[], conversation: string, tokensOf: TokensOf): ArchivePassage {
  const first = passages[0] as Passage;
  const { lastLine } = passages.at(-1) as Passage;
  const { message, kind, heading, path, time } = first;
  return {
    ref: refText({ message, lines: { first: first.firstLine, last: lastLine } }),
    conversation,
    message,
    kind,
    heading,
    ...(path === undefined ? {} : { path }),
    text: passages.map(({ text }) => text).join(''),
    tokens: passages.reduce((sum, { tokens }) => sum + tokens, headTokens({ ...first, lastLine }, tokensOf)),
    time,
  };
}

/** Passages in the order of the conversation as results, as many from the first on as fit. */
export function fromTheStart(
  passages: readonly Passage[],
  { conversation, maxTokens }: Omit<Asked, 'query'>,
  tokensOf: TokensOf,
): ArchivePassage[] {
  const groups: Passage[][] = [];
  let left = maxTokens;
  for (const passage of passages) {
    const group = groups.at(-1);
    const isNext = group?.[0]?.part === passage.part && group[0].message === passage.message;
    const cost = passage.tokens + (isNext ? 0 : headTokens(passage, tokensOf));
    if (cost > left) break;
    left -= cost;
    if (group !== undefined && isNext) group.push(passage);
    else groups.push([passage]);
  }
  return groups.map((group) => resultOf(group, conversation, tokensOf));
}
