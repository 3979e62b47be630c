import type { Steps } from '@ctx/core';
import { type Candidates, type Source, tokensOfUnit } from './candidates.js';
import { type Choice, choicesWithin } from './choice.js';
import type { Claim } from './claims.js';
import { type Counting, countedInParts } from './counting.js';
import { type ExcerptSection, excerptText, sectionText } from './excerpt-text.js';
import { linesIn, linesShown } from './line-count.js';
import { withinRoot } from './root-folder.js';
import { isOf, joined, type Shown } from './shown.js';
import type { SourceGroups } from './source-groups.js';
import { gapMark, linesOf } from './unit-text.js';
import { aimedAt, fullEnough, mostFillers, renderings, spare } from './weights.js';

/** UTF-16 units that are written and counted in a step. */
const stepLength = 4_000;

/** An excerpt that is being written. */
export class Draft {
  /** What is shown of each source, by its position among all. */
  readonly #shown: (Shown | undefined)[];
  /** The position among all sources of each source that units were chosen from. */
  readonly #positions: readonly number[] = [];
  /** The positions of each group. */
  readonly #members: readonly number[][];
  /** The lines of each source; -1 if not counted yet. */
  readonly #lines: Int32Array;
  /** The texts and their tokens; undefined if something was shown since. */
  #texts: readonly (string | undefined)[] | undefined;
  #counted: number | undefined;

  constructor(
    readonly sources: readonly Source[],
    readonly verbatim: ReadonlyMap<number, Claim>,
    readonly candidates: Candidates,
    readonly isTalk: readonly boolean[],
    readonly counting: Counting,
    readonly groups: SourceGroups,
    readonly numberOf: (position: number) => number,
  ) {
    this.#shown = sources.map(() => undefined);
    this.#lines = new Int32Array(sources.length).fill(-1);
    this.#positions = [...sources.keys()].filter((position) => !verbatim.has(position));
    this.#members = groups.heads.map(() => []);
    for (const position of sources.keys()) this.#members[groups.of[position] as number]?.push(position);
  }

  /** The text of each group; undefined for one of which nothing is shown. */
  get texts(): readonly (string | undefined)[] {
    this.#texts ??= this.groups.heads.map(({ intro, trail }, group) => {
      const sections = [...(trail === undefined ? [] : [trail]), ...this.#sections(group)];
      return sections.length === 0 ? undefined : excerptText(sections, intro);
    });
    return this.#texts;
  }

  /** Tokens, as the sum of its sections. The text as a whole may have a few more or less. */
  get #tokens(): number {
    let sum = 0;
    let before = -1;
    for (const { intro, trail } of this.groups.heads)
      sum +=
        this.counting.tokensOf(intro) +
        1 +
        (trail === undefined ? 0 : this.counting.tokensOf(`${sectionText(trail)}\n`));
    for (let position = 0; position < this.#shown.length; position += 1) {
      const shown = this.#shown[position];
      if (shown === undefined) continue;
      const gap = this.#gapBetween(before, position);
      sum +=
        gap === undefined ? shown.tokens : shown.textTokens + (gap === '' ? 0 : this.counting.tokensOf(gap));
      before = position;
    }
    return sum;
  }

  /** What is shown of a group, in order. */
  #sections(group: number): ExcerptSection[] {
    const sections: ExcerptSection[] = [];
    let before = -1;
    for (const position of this.#members[group] as number[]) {
      const shown = this.#shown[position];
      if (shown === undefined) continue;
      const { section } = shown;
      const gap = this.#gapBetween(before, position);
      const last = sections.at(-1);
      if (gap === undefined || last === undefined) sections.push(section);
      else {
        const text = `${last.text}\n${gap}${section.text}`;
        sections[sections.length - 1] = { ...last, text, part: joined(last, section) };
      }
      before = position;
    }
    return sections;
  }

  /**
   * What stands between two sources that share a heading, as turns of talk do that follow each other and have the same speaker; undefined
   * if each has its own.
   */
  #gapBetween(before: number, position: number): string | undefined {
    if (!this.isTalk[position] || !this.isTalk[before]) return undefined;
    if (this.groups.of[position] !== this.groups.of[before]) return undefined;
    const heading = (at: number) => (this.#shown[at] as Shown).section.heading;
    if (heading(before) !== heading(position)) return undefined;
    return position === before + 1 ? '' : `${gapMark}\n`;
  }

  /**
   * Shows as many choices as fit. Takes them in order, corrects the estimates by the counted tokens, and then tries some of the choices
   * after the first that does not fit, as a smaller one may.
   */
  *fill(
    choices: readonly Choice[],
    { maxTokens, estimated }: { readonly maxTokens: number; readonly estimated: number },
  ): Steps<readonly Choice[]> {
    const bare = this.#tokens;
    let best: { readonly count: number; readonly tokens: number } = { count: 0, tokens: bare };
    let allowed = estimated;
    for (let round = 0; round < renderings && bare < maxTokens && choices.length > 0; round += 1) {
      const count = choicesWithin(choices, allowed);
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
        (one) => one.tokens <= left * spare && this.#add(one, left),
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

  /** Tokens of the texts. */
  *count(): Steps<number> {
    if (this.#counted !== undefined) return this.#counted;
    let tokens = 0;
    for (const text of this.texts)
      if (text !== undefined) tokens += yield* countedInParts(this.counting, text);
    this.#counted = tokens;
    return tokens;
  }

  /** Shows these choices and nothing else. What is shown of a source already is not written again. */
  *#show(choices: readonly Choice[]): Steps<void> {
    const { sources, verbatim, candidates } = this;
    for (const [position, { text }] of verbatim) {
      if (this.#shown[position] !== undefined) continue;
      const { section } = sources[position] as Source;
      this.#set(position, { heading: this.#headingOf(section), text }, []);
      yield;
    }
    const bySource: (number[] | undefined)[] = this.#positions.map(() => undefined);
    for (const { added } of choices)
      for (const unit of added) {
        const source = candidates.source[unit] as number;
        const own = bySource[source];
        if (own === undefined) bySource[source] = [unit];
        else own.push(unit);
      }
    yield;
    let written = 0;
    for (let source = 0; source < bySource.length; source += 1) {
      const units = bySource[source];
      const position = this.#positions[source] as number;
      if (units === undefined) this.#put(position, undefined);
      else if (
        !isOf(
          this.#shown[position],
          units.sort((a, b) => a - b),
        )
      ) {
        const { section } = this.#set(position, this.#sectionOf(source, units), units);
        written += section.text.length;
        if (written < stepLength) continue;
        written = 0;
        yield;
      }
    }
  }

  /** A choice without the neighbours that came with it. */
  #alone({ unit, gain }: Choice): Choice {
    return { unit, added: [unit], gain, tokens: Math.max(1, tokensOfUnit(this.candidates, unit)) };
  }

  /** Adds a choice if it fits. */
  #add({ added }: Choice, leftTokens: number): boolean {
    const source = this.candidates.source[added[0] as number] as number;
    const position = this.#positions[source] as number;
    const before = this.#shown[position];
    const units = [...(before?.units ?? []), ...added].sort((a, b) => a - b);
    const shown = this.#set(position, this.#sectionOf(source, units), units);
    if (shown.tokens - (before?.tokens ?? 0) <= leftTokens) return true;
    this.#put(position, before);
    return false;
  }

  #set(position: number, section: ExcerptSection, units: readonly number[]): Shown {
    const tokens = this.counting.tokensOf(`${sectionText(section)}\n`);
    const textTokens = this.isTalk[position] ? this.counting.tokensOf(`${section.text}\n`) : tokens;
    const shown = { section, units, tokens, textTokens };
    this.#put(position, shown);
    return shown;
  }

  #put(position: number, shown: Shown | undefined): void {
    if (this.#shown[position] === shown) return;
    this.#shown[position] = shown;
    this.#texts = undefined;
    this.#counted = undefined;
  }

  #sectionOf(source: number, shown: readonly number[]): ExcerptSection {
    const { candidates, sources } = this;
    const position = this.#positions[source] as number;
    const own = sources[position] as Source;
    const { blocks, message, from } = own.section;
    const heading = this.#headingOf(own.section);
    const lines = shown.map((unit) => candidates.position[unit] as number).filter((at) => at >= 0);
    const text = linesOf(own, lines);
    if (lines.length === own.units.length) return { heading, text };
    const place = this.numberOf(blocks.at(-1)?.message ?? message) || (from ?? 0);
    if (text === '') return { heading, text, part: { message: place } };
    const of = this.#linesOf(position);
    return { heading, text, part: { lines: { shown: Math.min(of, linesShown(text)), of }, message: place } };
  }

  #headingOf({ heading }: Source['section']): string {
    return withinRoot(heading, this.groups.root ?? '');
  }

  /** The lines of all blocks of a source. */
  #linesOf(position: number): number {
    const known = this.#lines[position] as number;
    if (known >= 0) return known;
    const { blocks } = (this.sources[position] as Source).section;
    const lines = blocks.reduce((sum, { text }) => sum + linesIn(text), 0);
    this.#lines[position] = lines;
    return lines;
  }
}
