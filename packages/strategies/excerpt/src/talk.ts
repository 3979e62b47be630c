import type { Steps } from '@ctx/core';
import type { Candidate, Candidates, Source } from './candidates.js';
import type { TermUse } from './term-use.js';
import type { TermIndex } from './terms/term-index.js';
import { fewestTurns, littleShare, talkWeight, tokensTold } from './weights.js';

/** A unit of talk, by its position among the candidates. */
interface Turn {
  readonly at: number;
  readonly tokens: number;
  /** Its tokens, at most so many as its telling words account for. */
  readonly says: number;
  readonly length: number;
  readonly rarity: number;
}

/** What a turn without a telling word says, in tokens: it has what room the others leave. A limit. */
const leastSaid = 1e-6;

/**
 * What the units of talk are worth: of stretches in which people only talk, without calls and without names of things in files. There
 * what matters is rarely repeated, so no unit makes another worth less. A unit is worth more if it is long and has rare words, compared with
 * the other units of talk, so that it depends on no length or language. Divided by the square root of the tokens. Words that every tenth
 * turn has, such as a speaker's name, tell nothing, and a turn without others is worth nothing.
 * Undefined if there is no talk.
 */
export function* talkWorth(
  sources: readonly Source[],
  isTalk: readonly boolean[],
  { units, headings }: Candidates,
  use: TermUse,
): Steps<Float64Array | undefined> {
  if (!isTalk.includes(true)) return undefined;
  const turns: Turn[] = [];
  for (const [position, { start, end }] of headings.entries()) {
    if (isTalk[position] !== true) continue;
    for (let at = start; at < end; at += 1) {
      const { terms, tokens: own } = units[at] as Candidate;
      const tokens = Math.max(1, own);
      const uses = terms.map((term) => Math.max(1, use.messagesOf(term))).sort((a, b) => a - b);
      const telling = uses.filter((times) => times <= Math.max(1, sources.length * littleShare));
      // Its five rarest terms say how rare its words are.
      const rarity = sum(telling.slice(0, 5).map((times) => Math.log2(sources.length / times)));
      const says = Math.min(tokens, telling.length * tokensTold);
      turns.push({ at, tokens, says, length: Math.log2(tokens), rarity });
    }
    yield;
  }
  const [lengths, rarities] = [
    deviations(turns.map(({ length }) => length)),
    deviations(turns.map(({ rarity }) => rarity)),
  ];
  const worth = turns.map(
    ({ says }, at) =>
      Math.exp(talkWeight * ((lengths[at] as number) + (rarities[at] as number))) *
      Math.sqrt(Math.max(says, leastSaid)),
  );
  // A token of talk is worth one tenth on average, as much as the weight of a name that the agent uses.
  const scale = sum(turns.map(({ tokens }) => tokens)) / sum(worth) / 10;
  const fixed = new Float64Array(units.length);
  for (const [index, { at }] of turns.entries()) fixed[at] = (worth[index] as number) * scale;
  return fixed;
}

/** How far each figure is from the mean, in standard deviations. */
function deviations(figures: readonly number[]): number[] {
  const mean = sum(figures) / figures.length;
  const deviation = Math.sqrt(sum(figures.map((one) => (one - mean) ** 2)) / figures.length);
  return figures.map((one) => (deviation > 0 ? (one - mean) / deviation : 0));
}

/** Which sources are part of a stretch of talk. */
export function talkIn(sources: readonly Source[], terms: TermIndex): boolean[] {
  const isTalk = sources.map(() => false);
  for (let first = 0; first < sources.length; ) {
    let next = first;
    while (next < sources.length && isSpoken(sources[next] as Source)) next += 1;
    if (next - first >= fewestTurns && isPlain(sources.slice(first, next), terms))
      isTalk.fill(true, first, next);
    first = Math.max(next, first + 1);
  }
  return isTalk;
}

/** Whether few of the terms are names of things in files. */
function isPlain(sources: readonly Source[], terms: TermIndex): boolean {
  let [all, names] = [0, 0];
  for (const { units } of sources)
    for (const unit of units)
      for (const term of unit.terms) {
        all += 1;
        if (terms.kind(term) === 'name' || terms.kind(term) === 'id') names += 1;
      }
  return names <= all * littleShare;
}

function isSpoken({ section: { kind } }: Source): boolean {
  return kind === 'user' || kind === 'assistant';
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, one) => total + one, 0);
}
