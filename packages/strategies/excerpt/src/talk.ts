import type { Steps } from '@ctx/core';
import { type Candidates, type Source, tokensOfUnit } from './candidates.js';
import type { Section } from './sections.js';
import { mentions } from './talk-words.js';
import type { TermUse } from './term-use.js';
import type { TermKind } from './terms/term.js';
import type { TermIndex } from './terms/term-index.js';
import type { Unit } from './units.js';
import {
  fewestTurns,
  longestTurn,
  mostTechnical,
  mostTurns,
  rarest,
  talkWeights,
  tokensTold,
} from './weights.js';

/**
 * What the units of talk are worth: of stretches in which people only talk, without calls and without names of things in files. There
 * what matters is rarely repeated, so no unit makes another worth less. A unit is worth more if it is long, has rare words and names,
 * says when something is, answers a question, or is about the speaker; less if it is a question or about the listener. Compared with
 * the other units of talk, so that it depends on no length or language. Divided by the square root of the tokens. Words that every tenth
 * turn has, such as a speaker's name, tell nothing, and a turn without others is worth nothing.
 * Undefined if there is no talk.
 */
export function* talkWorth(
  sources: readonly Source[],
  isTalk: readonly boolean[],
  candidates: Candidates,
  { terms, use }: { readonly terms: TermIndex; readonly use: TermUse },
): Steps<Float64Array | undefined> {
  if (!isTalk.includes(true)) return undefined;
  const rows: Row[] = [];
  for (const [position, source] of sources.entries()) {
    if (isTalk[position] !== true) continue;
    const before = sources[position - 1]?.section;
    const answers = before !== undefined && isTalk[position - 1] === true && endsWithQuestion(textOf(before));
    for (
      let at = candidates.starts[position] as number;
      at < (candidates.starts[position + 1] as number);
      at += 1
    ) {
      const unit = source.units[candidates.position[at] as number] as Unit;
      const text = textOf(source.section, unit);
      const tokens = Math.max(1, tokensOfUnit(candidates, at));
      rows.push(rowOf(text, unit, { at, tokens, answers, turns: sources.length, terms, use }));
    }
    yield;
  }
  return scaled(worthOf(rows), rows, candidates);
}

type Feature = keyof typeof talkWeights;

interface Row extends Readonly<Record<Feature, number>> {
  /** The unit's position among the candidates. */
  readonly at: number;
  readonly tokens: number;
  /** Its tokens, at most so many as its telling words account for. */
  readonly says: number;
}

/** Which sources are part of a stretch of talk. */
export function talkIn(sources: readonly Source[], terms: TermIndex): boolean[] {
  const isTalk = sources.map(() => false);
  for (let first = 0; first < sources.length; ) {
    let next = first;
    while (next < sources.length && isSpoken((sources[next] as Source).section)) next += 1;
    const stretch = sources.slice(first, next);
    if (stretch.length >= fewestTurns && technicalShare(stretch, terms) <= mostTechnical)
      isTalk.fill(true, first, next);
    first = Math.max(next, first + 1);
  }
  return isTalk;
}

/** The sources, with turns of talk marked as such; one that is not very long is one unit. */
export function withWholeTurns(sources: readonly Source[], isTalk: readonly boolean[]): readonly Source[] {
  if (!isTalk.includes(true)) return sources;
  return sources.map((source, position) => {
    if (isTalk[position] !== true) return source;
    const { section, units } = source;
    const text = textOf(section);
    if (units.length < 2 || text.length > longestTurn) return { ...source, isTalk: true };
    const terms = [...new Set(units.flatMap((unit) => unit.terms))];
    const whole: Unit = { ...(units[0] as Unit), start: 0, end: text.length, terms, form: undefined };
    return { ...source, isTalk: true, units: [whole] };
  });
}

function isSpoken({ kind }: Section): boolean {
  return kind === 'user' || kind === 'assistant';
}

const technical: ReadonlySet<TermKind> = new Set(['path', 'identifier', 'url', 'error', 'id']);

function technicalShare(sources: readonly Source[], terms: TermIndex): number {
  let [all, some] = [0, 0];
  for (const { units } of sources)
    for (const unit of units)
      for (const term of unit.terms) {
        all += 1;
        if (technical.has(terms.kind(term))) some += 1;
      }
  return all === 0 ? 0 : some / all;
}

interface Knowledge extends Pick<Row, 'at' | 'tokens'> {
  /** Whether what was said before is a question. */
  readonly answers: boolean;
  /** The number of turns of the whole conversation. */
  readonly turns: number;
  readonly terms: TermIndex;
  readonly use: TermUse;
}

const named: ReadonlySet<TermKind> = new Set(['name', 'number', 'amount', 'quantity', 'id']);

function rowOf(text: string, unit: Unit, { at, tokens, answers, turns, terms, use }: Knowledge): Row {
  const telling = unit.terms.filter((term) => use.of(term).messages <= Math.max(1, turns * mostTurns));
  const rarities = telling
    .map((term) => Math.log2(turns / Math.max(1, use.of(term).messages)))
    .sort((a, b) => b - a)
    .slice(0, rarest);
  const kinds = telling.map((term) => terms.kind(term));
  return {
    at,
    tokens,
    says: Math.min(tokens, telling.length * tokensTold),
    length: Math.log2(tokens),
    rarity: rarities.reduce((sum, one) => sum + one, 0),
    density: telling.length / tokens,
    names: Math.log2(1 + kinds.filter((kind) => named.has(kind)).length),
    time: kinds.includes('date') || mentions('time', text) ? 1 : 0,
    answer: answers ? 1 : 0,
    speaker: mentions('speaker', text) ? 1 : 0,
    question: endsWithQuestion(text) ? 1 : 0,
    listener: mentions('listener', text) ? 1 : 0,
  };
}

function mean(figures: readonly number[]): number {
  return figures.length === 0 ? 0 : figures.reduce((sum, one) => sum + one, 0) / figures.length;
}

/** The worth of each row, from how far each feature is from the mean, in standard deviations. */
function worthOf(rows: readonly Row[]): number[] {
  const scores = rows.map(() => 0);
  for (const [feature, weight] of Object.entries(talkWeights) as [Feature, number][]) {
    const values = rows.map((row) => row[feature]);
    const middle = mean(values);
    const deviation = Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
    if (deviation > 0)
      values.forEach((value, index) => {
        scores[index] = (scores[index] as number) + (weight * (value - middle)) / deviation;
      });
  }
  return rows.map(({ says }, index) => Math.exp(scores[index] as number) * Math.sqrt(says));
}

/** Puts the worth in place. A token of talk is worth one on average, as much as the weight of a name that the agent uses. */
function scaled(worth: readonly number[], rows: readonly Row[], { count }: Candidates): Float64Array {
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  const scale = tokens / worth.reduce((sum, one) => sum + one, 0) / 10;
  const fixed = new Float64Array(count);
  rows.forEach(({ at }, index) => {
    fixed[at] = (worth[index] as number) * scale;
  });
  return fixed;
}

function textOf({ blocks }: Section, unit?: Unit): string {
  const text = blocks[unit === undefined ? 0 : Math.max(0, unit.block)]?.text ?? '';
  return unit === undefined ? text : text.slice(unit.start, unit.end);
}

function endsWithQuestion(text: string): boolean {
  return /[?？؟]["'”’)\s]{0,4}$/.test(text.slice(-8));
}
