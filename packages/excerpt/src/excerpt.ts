import type { Steps } from '@ctx/core';
import { type Candidates, candidatesOf, type Source } from './candidates.js';
import { type Choice, choose } from './choose.js';
import type { ConversationIndex } from './conversation-index.js';
import { type ExcerptSection, excerptText, intro, type ShownPart, sectionText } from './excerpt-text.js';
import { talkIn, talkWorth, withWholeTurns } from './talk.js';
import { explainChoices, type KeptLine } from './explain.js';
import { heldWith } from './held-terms.js';
import { gapMark, linesOf, type Unit } from './units.js';
import { verbatimSections } from './verbatim.js';
import { aimedAt, fullEnough, mostFillers, renderings, spare } from './weights.js';

export interface ExcerptOptions {
  /** The most tokens that the excerpt may have. */
  readonly excerptTokens: number;
  /** The most tokens that the user's messages may take word for word. */
  readonly usersTokens: number;
  /** Tokens of the messages that leave the view. */
  readonly olderTokens: number;
  /** What the sources were read with. */
  readonly index: Pick<ConversationIndex, 'terms' | 'use'>;
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay contain it. */
  readonly held: Uint8Array;
  readonly tokensPerCharacter: number;
  tokensOf(text: string): number;
}

export interface Excerpt {
  readonly text: string;
  /** The number of units in the excerpt. */
  readonly kept: number;
  /** The number of units that they were chosen from. */
  readonly of: number;
  /** Why each passage was kept. */
  explain(describe: (term: number) => string): KeptLine[];
}

/** Chooses passages of the sources, and writes the excerpt. */
export function* excerptOf(read: readonly Source[], options: ExcerptOptions): Steps<Excerpt> {
  const { excerptTokens, usersTokens, olderTokens, weights, tokensPerCharacter, tokensOf } = options;
  const isTalk = talkIn(read, options.index.terms);
  const sources = withWholeTurns(read, isTalk);
  const sections = sources.map(({ section }) => section);
  const room = excerptTokens - tokensOf(intro);
  const verbatim = verbatimSections(sections, {
    roomTokens: Math.min(room, usersTokens),
    olderTokens,
    tokensOf,
  });
  yield;
  let left = room;
  for (const tokens of verbatim.values()) left -= tokens;
  const free = sources.filter((_, position) => !verbatim.has(position));
  const said = sources.filter((_, position) => verbatim.has(position));
  const held = heldWith(
    options.held,
    said.flatMap(({ units }) => units.map(({ terms }) => terms)),
  );
  const candidates = yield* candidatesOf(free, tokensPerCharacter);
  const fixed = yield* talkWorth(
    free,
    isTalk.filter((_, position) => !verbatim.has(position)),
    candidates,
    options.index,
  );
  const choices = yield* choose(candidates, { roomTokens: left * spare, weights, held, fixed });
  const draft = new Draft(sources, verbatim, candidates, free, isTalk, tokensOf);
  const chosen = yield* draft.fill(choices, { maxTokens: excerptTokens, estimated: left });
  return {
    text: draft.text,
    kept: chosen.length + verbatim.size,
    of: candidates.units.length + verbatim.size,
    explain: (describe) => explainChoices(chosen, { sources: free, candidates, weights, describe }),
  };
}

/** A source that is shown. */
interface Shown {
  readonly section: ExcerptSection;
  /** Tokens with and without the heading. */
  readonly tokens: number;
  readonly textTokens: number;
}

/** An excerpt that is being written. */
class Draft {
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
    while (chosen.length > 0 && this.tokensOf(this.text) > maxTokens) {
      chosen.pop();
      yield* this.#show(chosen);
    }
    return chosen;
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
    for (let up = above[unit] as number; up >= 0; up = above[up] as number) if (added.includes(up)) needed.add(up);
    const some = added.filter((one) => needed.has(one));
    return { unit, added: some, gain, tokens: some.reduce((sum, one) => sum + (tokens[one] as number), 0) };
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
    const place = (blocks.at(-1)?.message ?? message) + 1;
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
  return text.match(/^.*\S/gm)?.length ?? 0;
}

function linesShown(text: string): number {
  return text.match(/^(?!…$).*\S/gm)?.length ?? 0;
}

function countWithin(choices: readonly Choice[], maxTokens: number): number {
  let left = maxTokens;
  const end = choices.findIndex(({ tokens }) => {
    left -= tokens;
    return left < 0;
  });
  return end < 0 ? choices.length : end;
}
