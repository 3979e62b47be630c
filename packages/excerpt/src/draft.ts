import type { Steps } from '@ctx/core';
import type { Candidates, Source } from './candidates.js';
import type { Choice } from './choose.js';
import { type ExcerptSection, excerptText, intro, type ShownPart, sectionText } from './excerpt-text.js';
import { gapMark, linesOf, type Unit } from './units.js';
import {
  aimedAt,
  fullEnough,
  longestCounted,
  mostFillers,
  partTokens,
  renderings,
  spare,
} from './weights.js';

/** A source that is shown. */
interface Shown {
  readonly section: ExcerptSection;
  /** Tokens with and without the heading. */
  readonly tokens: number;
  readonly textTokens: number;
}

/** An excerpt that is being written. */
export class Draft {
  #shown = new Map<number, Shown>();
  /** The position among all sources of each source that units were chosen from. */
  readonly #positions: readonly number[];

  constructor(
    readonly sources: readonly Source[],
    readonly verbatim: ReadonlyMap<number, number>,
    readonly candidates: Candidates,
    free: readonly Source[],
    readonly isTalk: readonly boolean[],
    readonly tokensOf: (text: string) => number,
    readonly numberOf: (position: number) => number,
  ) {
    const places = new Map(sources.map((source, position) => [source, position]));
    this.#positions = free.map((source) => places.get(source) as number);
  }

  get text(): string {
    return excerptText(this.#sections.map(({ section }) => section));
  }

  /** Tokens, as the sum of its sections. The text as a whole may have a few more or less. */
  get #tokens(): number {
    return this.#sections.reduce((sum, { tokens }) => sum + tokens, this.tokensOf(intro) + 1);
  }

  /** What is shown, in order. Turns of talk that follow each other and have the same speaker share a heading. */
  get #sections(): { section: ExcerptSection; tokens: number }[] {
    const sections: { section: ExcerptSection; tokens: number }[] = [];
    let before = -1;
    for (const [position, { section, tokens, textTokens }] of [...this.#shown].sort(([a], [b]) => a - b)) {
      const last = sections.at(-1);
      if (this.isTalk[position] && this.isTalk[before] && last?.section.heading === section.heading) {
        const gap = position === before + 1 ? '' : `${gapMark}\n`;
        const text = `${last.section.text}\n${gap}${section.text}`;
        const part = joined(last.section, section);
        const gapTokens = gap === '' ? 0 : this.tokensOf(gap);
        sections[sections.length - 1] = {
          section: { ...last.section, text, part },
          tokens: last.tokens + textTokens + gapTokens,
        };
      } else sections.push({ section, tokens });
      before = position;
    }
    return sections;
  }

  /**
   * Shows as many choices as fit. Takes them in order, corrects the estimates by the counted tokens, and then tries some of the choices
   * after the first that does not fit, as a smaller one may.
   */
  *fill(
    choices: readonly Choice[],
    { maxTokens, estimated }: { readonly maxTokens: number; readonly estimated: number },
  ): Steps<readonly Choice[]> {
    this.#show([]);
    const bare = this.#tokens;
    let best: { readonly count: number; readonly tokens: number } = { count: 0, tokens: bare };
    let allowed = estimated;
    for (let round = 0; round < renderings && bare < maxTokens && choices.length > 0; round += 1) {
      const count = countWithin(choices, allowed);
      yield* this.#show(choices.slice(0, count));
      const tokens = this.#tokens;
      const fits = tokens <= maxTokens;
      if (fits && tokens >= best.tokens) best = { count, tokens };
      if (fits && (count === choices.length || tokens > maxTokens * fullEnough)) break;
      const scale = (aimedAt * (maxTokens - bare)) / Math.max(1, tokens - bare);
      allowed *= fits ? Math.min(spare, scale) : Math.min(aimedAt, scale);
    }
    const chosen = choices.slice(0, best.count);
    yield* this.#show(chosen);
    for (const choice of choices.slice(best.count, best.count + mostFillers)) {
      const left = maxTokens - this.#tokens;
      if (left <= maxTokens * (1 - fullEnough)) break;
      const fitting = [choice, this.#alone(choice)].find(
        (one) => one.tokens <= left * spare && this.#add(one, chosen, left),
      );
      if (fitting !== undefined) chosen.push(fitting);
      yield;
    }
    while (chosen.length > 0 && (yield* this.count()) > maxTokens) {
      chosen.pop();
      yield* this.#show(chosen);
    }
    return chosen;
  }

  /** Tokens of the text. A long one is counted in parts, with a few tokens more for each, in case that the counter sees more in the whole. */
  *count(): Steps<number> {
    const { text } = this;
    if (text.length <= longestCounted) return this.tokensOf(text);
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const lineEnd = text.indexOf('\n', start + longestCounted);
      const end = lineEnd < 0 ? text.length : lineEnd + 1;
      tokens += this.tokensOf(text.slice(start, end)) + partTokens;
      start = end;
      yield;
    }
    return tokens;
  }

  *#show(choices: readonly Choice[]): Steps<void> {
    const { sources, verbatim, candidates } = this;
    this.#shown = new Map();
    for (const position of verbatim.keys()) {
      const { heading, blocks } = (sources[position] as Source).section;
      this.#set(position, { heading, text: blocks[0]?.text ?? '' });
    }
    const bySource = new Map<number, number[]>();
    for (const { added } of choices)
      for (const unit of added) {
        const source = candidates.source[unit] as number;
        const own = bySource.get(source);
        if (own === undefined) bySource.set(source, [unit]);
        else own.push(unit);
      }
    for (const [source, units] of bySource) {
      this.#set(this.#positions[source] as number, this.#sectionOf(source, units));
      yield;
    }
  }

  /** A choice without the neighbours that came with it. */
  #alone({ unit, added, gain }: Choice): Choice {
    const { above, tokens } = this.candidates;
    const needed = new Set([unit]);
    for (let up = above[unit] as number; up >= 0; up = above[up] as number)
      if (added.includes(up)) needed.add(up);
    const some = added.filter((one) => needed.has(one));
    const sum = some.reduce((total, one) => total + (tokens[one] as number), 0);
    return { unit, added: some, gain, tokens: Math.max(1, sum) };
  }

  /** Adds a choice if it fits. */
  #add({ added }: Choice, chosen: readonly Choice[], leftTokens: number): boolean {
    const source = this.candidates.source[added[0] as number] as number;
    const own = chosen.flatMap((one) => one.added.filter((unit) => this.candidates.source[unit] === source));
    const position = this.#positions[source] as number;
    const before = this.#shown.get(position);
    this.#set(position, this.#sectionOf(source, [...own, ...added]));
    const more = (this.#shown.get(position)?.tokens ?? 0) - (before?.tokens ?? 0);
    if (more <= leftTokens) return true;
    if (before === undefined) this.#shown.delete(position);
    else this.#shown.set(position, before);
    return false;
  }

  #set(position: number, section: ExcerptSection): void {
    const tokens = this.tokensOf(`${sectionText(section)}\n`);
    const textTokens = this.isTalk[position] ? this.tokensOf(`${section.text}\n`) : tokens;
    this.#shown.set(position, { section, tokens, textTokens });
  }

  #sectionOf(source: number, positions: readonly number[]): ExcerptSection {
    const { candidates, sources } = this;
    const { section, units } = sources[this.#positions[source] as number] as Source;
    const { heading, blocks, message } = section;
    const shown = positions.toSorted((a, b) => a - b).map((unit) => candidates.units[unit] as Unit);
    const text = linesOf(section, shown);
    const count = shown.filter(({ position }) => position >= 0).length;
    if (count === units.length) return { heading, text };
    const place = this.numberOf(blocks.at(-1)?.message ?? message) || (section.from ?? 0);
    if (text === '') return { heading, text, part: { message: place } };
    const of = blocks.reduce((sum, block) => sum + linesIn(block.text), 0);
    return { heading, text, part: { lines: { shown: Math.min(of, linesShown(text)), of }, message: place } };
  }
}

/** What is shown of two turns together; undefined if all of both is. */
function joined(first: ExcerptSection, second: ExcerptSection): ExcerptSection['part'] {
  if (first.part === undefined && second.part === undefined) return undefined;
  const counts = [first, second].map(
    ({ part, text }) => part?.lines ?? { shown: linesShown(text), of: linesIn(text) },
  );
  const sum = (pick: 'shown' | 'of') => counts.reduce((total, count) => total + count[pick], 0);
  const { message } = first.part ?? (second.part as ShownPart);
  return { lines: { shown: sum('shown'), of: sum('of') }, message };
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

function linesShown(text: string): number {
  return text.split('\n').filter((line) => line !== gapMark && line.trim() !== '').length;
}

function countWithin(choices: readonly Choice[], maxTokens: number): number {
  let left = maxTokens;
  const end = choices.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return end < 0 ? choices.length : end;
}
