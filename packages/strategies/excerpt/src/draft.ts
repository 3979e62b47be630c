import type { Steps } from '@ctx/core';
import type { Candidate, Candidates, Source } from './candidates.js';
import type { Choice } from './choose.js';
import type { Claim } from './claims.js';
import { type ExcerptSection, excerptText, intro, sectionText } from './excerpt-text.js';
import { withinRoot } from './root-folder.js';
import { linesIn, linesOf, linesShown } from './unit-text.js';
import { mostFillers, mostTries, nearly, spare } from './weights.js';

/** Counts the tokens of texts. */
export interface Counting {
  tokensOf(text: string): number;
  /** The same in steps, for a long text. Default: in one. */
  countInSteps?(text: string): Steps<number>;
}

/** What an excerpt begins with. */
export interface ExcerptHead {
  /** Its first line. */
  readonly intro: string;
  /** What was done, in a few lines; it is shown whatever else is chosen. */
  readonly trail?: ExcerptSection | undefined;
  /** What files define. */
  readonly outline?: ExcerptSection | undefined;
}

/** Sources divided into several excerpts, which are chosen from together. */
export interface SourceGroups {
  /** For each source, the number of its excerpt. */
  readonly of: ArrayLike<number>;
  readonly heads: readonly ExcerptHead[];
  /** The folder from which on paths in headings are written. @default '' */
  readonly root?: string;
}

/** All sources in one excerpt. */
export function oneGroup(sources: number): SourceGroups {
  return { of: new Uint8Array(sources), heads: [{ intro }] };
}

/** Tokens of what an excerpt shows whatever else is chosen. */
export function headTokens(head: ExcerptHead, tokensOf: (text: string) => number): number {
  return tokensOf(excerptText(sectionsOf(head), head.intro));
}

function sectionsOf({ trail, outline }: ExcerptHead): ExcerptSection[] {
  return [trail, outline].flatMap((section) => (section === undefined ? [] : [section]));
}

/** A source that is shown. */
interface Shown {
  readonly section: ExcerptSection;
  /** The positions of its units among the candidates, in order; none for a section that stays word for word. */
  readonly units: readonly number[];
  readonly tokens: number;
}

/** UTF-16 units that are written and counted in a step. */
const stepLength = 4_000;

/** An excerpt that is being written. */
export class Draft {
  /** What is shown of each source, by its position among all, and its lines if they have been counted. */
  readonly #shown: (Shown | undefined)[];
  readonly #lines: (number | undefined)[];
  /** The tokens of the texts; undefined if something was shown since. */
  #counted: number | undefined;

  /** @param positions among all sources, of each source that units are chosen from */
  constructor(
    readonly sources: readonly Source[],
    readonly verbatim: ReadonlyMap<number, Claim>,
    readonly positions: readonly number[],
    readonly candidates: Candidates,
    readonly counting: Counting,
    readonly groups: SourceGroups,
  ) {
    this.#shown = sources.map(() => undefined);
    this.#lines = sources.map(() => undefined);
  }

  /** The text of each group; undefined for one of which nothing is shown. */
  get texts(): readonly (string | undefined)[] {
    const { heads, of } = this.groups;
    const sections = heads.map(sectionsOf);
    for (const [position, shown] of this.#shown.entries())
      if (shown !== undefined) sections[of[position] as number]?.push(shown.section);
    return sections.map((some, group) =>
      some.length === 0 ? undefined : excerptText(some, heads[group]?.intro),
    );
  }

  /** Tokens, as the sum of its sections. The text as a whole may have a few more or less. */
  get #tokens(): number {
    const { tokensOf } = this.counting;
    let sum = 0;
    for (const head of this.groups.heads) sum += 1 + headTokens(head, tokensOf);
    for (const shown of this.#shown) sum += shown?.tokens ?? 0;
    return sum;
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
    // Between full enough and too much.
    const aimedAt = (1 + nearly) / 2;
    let best = { count: 0, tokens: bare };
    let allowed = estimated;
    for (let round = 0; round < mostTries && bare < maxTokens && choices.length > 0; round += 1) {
      let count = 0;
      for (let left = allowed; count < choices.length; count += 1) {
        left -= (choices[count] as Choice).tokens;
        if (left < 0) break;
      }
      yield* this.#show(choices.slice(0, count));
      const tokens = this.#tokens;
      const fits = tokens <= maxTokens;
      if (fits && tokens >= best.tokens) best = { count, tokens };
      if (fits && (count === choices.length || tokens > maxTokens * nearly)) break;
      const scale = (aimedAt * (maxTokens - bare)) / Math.max(1, tokens - bare);
      allowed *= fits ? Math.min(spare, scale) : Math.min(aimedAt, scale);
    }
    const chosen = choices.slice(0, best.count);
    yield* this.#show(chosen);
    for (const choice of choices.slice(best.count, best.count + mostFillers)) {
      const left = maxTokens - this.#tokens;
      if (left <= maxTokens * (1 - nearly)) break;
      if (choice.tokens <= left * spare && this.#add(choice, left)) chosen.push(choice);
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
      tokens += this.counting.countInSteps
        ? yield* this.counting.countInSteps(text ?? '')
        : this.counting.tokensOf(text ?? '');
    this.#counted = tokens;
    return tokens;
  }

  /** Shows these choices and nothing else. What is shown of a source already is not written again. */
  *#show(choices: readonly Choice[]): Steps<void> {
    for (const [position, { text }] of this.verbatim) {
      if (this.#shown[position] !== undefined) continue;
      this.#set(position, { heading: this.#headingOf(this.sources[position] as Source), text }, []);
      yield;
    }
    const unitsOf = new Map<number, number[]>();
    for (const unit of choices.flatMap(({ added }) => added)) {
      const { source } = this.candidates.units[unit] as Candidate;
      const own = unitsOf.get(source);
      if (own === undefined) unitsOf.set(source, [unit]);
      else own.push(unit);
    }
    yield;
    let written = 0;
    for (const [source, position] of this.positions.entries()) {
      const units = unitsOf.get(source)?.sort((a, b) => a - b);
      const before = this.#shown[position]?.units;
      if (units === undefined) this.#put(position, undefined);
      else if (units.length !== before?.length || units.some((unit, at) => unit !== before[at])) {
        written += this.#set(position, this.#sectionOf(position, units), units).section.text.length;
        if (written < stepLength) continue;
        written = 0;
        yield;
      }
    }
  }

  /** Adds a choice if it fits. */
  #add({ added, unit }: Choice, leftTokens: number): boolean {
    const position = this.positions[(this.candidates.units[unit] as Candidate).source] as number;
    const before = this.#shown[position];
    const units = [...(before?.units ?? []), ...added].sort((a, b) => a - b);
    const { tokens } = this.#set(position, this.#sectionOf(position, units), units);
    if (tokens - (before?.tokens ?? 0) <= leftTokens) return true;
    this.#put(position, before);
    return false;
  }

  #set(position: number, section: ExcerptSection, units: readonly number[]): Shown {
    const tokens = this.counting.tokensOf(`${sectionText(section)}\n`);
    const shown = { section, units, tokens };
    this.#put(position, shown);
    return shown;
  }

  #put(position: number, shown: Shown | undefined): void {
    if (this.#shown[position] === shown) return;
    this.#shown[position] = shown;
    this.#counted = undefined;
  }

  #sectionOf(position: number, shown: readonly number[]): ExcerptSection {
    const own = this.sources[position] as Source;
    const { blocks, message } = own.section;
    const heading = this.#headingOf(own);
    const lines = shown
      .map((unit) => (this.candidates.units[unit] as Candidate).position)
      .filter((at) => at >= 0);
    const text = linesOf(own, lines);
    if (lines.length === own.units.length) return { heading, text };
    const place = (blocks.at(-1)?.message ?? message) + 1;
    if (text === '') return { heading, text, part: { message: place } };
    this.#lines[position] ??= blocks.reduce((sum, block) => sum + linesIn(block.text), 0);
    const of = this.#lines[position];
    return { heading, text, part: { lines: { shown: Math.min(of, linesShown(text)), of }, message: place } };
  }

  #headingOf({ section }: Source): string {
    return withinRoot(section.heading, this.groups.root ?? '');
  }
}
