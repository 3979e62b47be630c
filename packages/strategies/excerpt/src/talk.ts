import type { Steps } from '@ctx/core';
import type { Candidate, Candidates, Heading, Source } from './candidates.js';
import type { Section } from './sections.js';
import { mentions } from './talk-words.js';
import type { TermUse } from './term-use.js';
import type { TermKind } from './terms/term.js';
import type { TermIndex } from './terms/term-index.js';
import type { Unit } from './units.js';
import { fewestTurns, longestTurn, mostTechnical, mostTurns, talkWeights, tokensTold } from './weights.js';

type Feature = keyof typeof talkWeights;

interface Row extends Readonly<Record<Feature, number>> {
  /** The unit's position among the candidates. */
  readonly at: number;
  readonly tokens: number;
  /** Its tokens, at most so many as its telling words account for. */
  readonly says: number;
}

/** What a turn without a telling word says, in tokens: it has what room the others leave. A limit. */
const leastSaid = 1e-6;

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
  { units, headings }: Candidates,
  { terms, use }: { readonly terms: TermIndex; readonly use: TermUse },
): Steps<Float64Array | undefined> {
  if (!isTalk.includes(true)) return undefined;
  const rows: Row[] = [];
  const turns = sources.length;
  for (const [position, { section, ...source }] of sources.entries()) {
    if (isTalk[position] !== true) continue;
    const before = isTalk[position - 1] === true ? sources[position - 1]?.section : undefined;
    const answer = before !== undefined && endsWithQuestion(textOf(before)) ? 1 : 0;
    const { start, end } = headings[position] as Heading;
    for (let at = start; at < end; at += 1) {
      const candidate = units[at] as Candidate;
      const text = textOf(section, source.units[candidate.position]);
      const tokens = Math.max(1, candidate.tokens);
      const telling = candidate.terms.filter(
        (term) => use.messagesOf(term) <= Math.max(1, turns * mostTurns),
      );
      const kinds = telling.map((term) => terms.kind(term));
      // Its five rarest terms say how rare its words are.
      const rarities = telling
        .map((term) => Math.log2(turns / Math.max(1, use.messagesOf(term))))
        .sort((a, b) => b - a)
        .slice(0, 5);
      rows.push({
        at,
        tokens,
        says: Math.min(tokens, telling.length * tokensTold),
        length: Math.log2(tokens),
        rarity: sum(rarities),
        density: telling.length / tokens,
        names: Math.log2(1 + kinds.filter((kind) => named.has(kind)).length),
        time: kinds.includes('date') || mentions('time', text) ? 1 : 0,
        answer,
        speaker: mentions('speaker', text) ? 1 : 0,
        question: endsWithQuestion(text) ? 1 : 0,
        listener: mentions('listener', text) ? 1 : 0,
      });
    }
    yield;
  }
  const worth = worthOf(rows);
  // A token of talk is worth one tenth on average, as much as the weight of a name that the agent uses.
  const scale = sum(rows.map(({ tokens }) => tokens)) / sum(worth) / 10;
  const fixed = new Float64Array(units.length);
  for (const [index, { at }] of rows.entries()) fixed[at] = (worth[index] as number) * scale;
  return fixed;
}

/** The worth of each row, from how far each feature is from the mean, in standard deviations. */
function worthOf(rows: readonly Row[]): number[] {
  const scores = rows.map(() => 0);
  for (const [feature, weight] of Object.entries(talkWeights) as [Feature, number][]) {
    const values = rows.map((row) => row[feature]);
    const mean = sum(values) / values.length;
    const deviation = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / values.length);
    if (deviation > 0)
      for (const [index, value] of values.entries())
        scores[index] = (scores[index] as number) + (weight * (value - mean)) / deviation;
  }
  return rows.map(
    ({ says }, index) => Math.exp(scores[index] as number) * Math.sqrt(Math.max(says, leastSaid)),
  );
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
        if (technical.has(terms.kind(term))) names += 1;
      }
  return names <= all * mostTechnical;
}

/** The sources, with turns of talk marked as such; one that is not very long is one unit. */
export function withWholeTurns(sources: readonly Source[], isTalk: readonly boolean[]): readonly Source[] {
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

const technical: ReadonlySet<TermKind> = new Set(['path', 'identifier', 'url', 'error', 'id']);
const named: ReadonlySet<TermKind> = new Set(['name', 'number', 'quantity', 'id']);

function isSpoken({ section: { kind } }: Source): boolean {
  return kind === 'user' || kind === 'assistant';
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, one) => total + one, 0);
}

function textOf({ blocks }: Section, unit?: Unit): string {
  const text = blocks[unit?.block ?? 0]?.text ?? '';
  return unit === undefined ? text : text.slice(unit.start, unit.end);
}

function endsWithQuestion(text: string): boolean {
  return /[?？؟]["'”’)\s]{0,4}$/.test(text.slice(-8));
}
