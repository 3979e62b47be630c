import type { Exchange, Message, PlanContext, ReplaceEdit, ViewMessage } from '@ctx/core';
import { aboveOf, type Choice, choose, type Heading } from './choose.js';
import { type ExcerptSection, excerptText, intro } from './excerpt-text.js';
import { explainChoices, type KeptLine } from './explain.js';
import { largestText, largestWithin, spare } from './largest.js';
import type { RelevanceOptions } from './options.js';
import { type CutPart, cutPartsOf } from './recent.js';
import { type Section, sectionsOf, type Voice } from './sections.js';
import { shorterCalls } from './shorter-calls.js';
import { TermUse } from './term-use.js';
import { TermIndex } from './terms/index.js';
import { headingUnit, linesOf, type Unit, unitsOf } from './units.js';
import { verbatimSections } from './verbatim.js';
import { tokensPerCharacter, wholeText } from './whole-text.js';

export interface Task {
  /** The newest exchanges, which stay. */
  readonly newest: readonly Exchange[];
  /** What leaves the view. */
  readonly older: readonly Exchange[];
  /** What stays with shorter texts, and in how many tokens. */
  readonly cut: readonly { readonly exchanges: readonly Exchange[]; readonly maxTokens: number }[];
  readonly options: RelevanceOptions;
}

/** What stays, but shorter. */
interface Cut {
  readonly messages: readonly ViewMessage[];
  readonly parts: readonly CutPart[];
  readonly sections: readonly Section[];
  readonly units: readonly Unit[];
  readonly maxTokens: number;
}

export interface Excerpt {
  readonly text: string;
  /** Units in it, and of how many they were chosen. */
  readonly kept: number;
  readonly of: number;
  readonly lines: readonly KeptLine[];
}

/** Tokens that a line about what is left out takes. */
const markTokens = 12;
/** A failure that nothing later has made good. */
const failureWeight = 1.5;
/** What the user says, where it can't all stay word for word. */
const userWeight = 1.5;

/** Chooses and writes what a view still tells of what leaves it. */
export class Composition {
  readonly #index = new TermIndex();
  readonly #use = new TermUse(this.#index);
  readonly #sections: readonly Section[];
  readonly #headings: readonly Heading[];
  readonly #units: Unit[] = [];
  readonly #cuts: readonly Cut[];
  readonly #held: Uint8Array;
  readonly #weights: Float64Array;
  readonly #tokensPerCharacter: number;
  readonly #leaving: ReadonlySet<string>;

  constructor(
    readonly context: PlanContext,
    readonly task: Task,
  ) {
    const { view, transcript } = context;
    this.#tokensPerCharacter = tokensPerCharacter(context);
    this.#leaving = new Set(task.older.flatMap(idsOf));
    const shortened = new Set(task.cut.flatMap(({ exchanges }) => exchanges.flatMap(idsOf)));
    const shown: number[] = [];
    for (const { message, id } of view) {
      if (this.#leaving.has(id) || shortened.has(id)) continue;
      const terms = this.#index.idsOf(wholeText(message));
      // What the user names is still to be told of.
      if (message.role !== 'user') for (const term of terms) shown.push(term);
      this.#use.add(terms, { message: transcript.length, voice: voiceOf(message) });
    }
    this.#cuts = task.cut.map((cut) => this.#cutOf(cut));
    this.#sections = sectionsOf(sourcesOf(context, this.#leaving, task.newest));
    const resolved = resolvedFailures(this.#sections);
    this.#headings = this.#sections.map((section, position) => {
      const isOpen = section.kind === 'failure' && !resolved.has(section);
      const weight = isOpen ? failureWeight : section.kind === 'user' ? userWeight : 1;
      if (section.kind === 'call' || section.kind === 'failure') this.#units.push(headingUnit(position));
      for (const unit of this.#unitsOf(section, position, weight)) this.#units.push(unit);
      const terms = this.#index.idsOf(section.heading);
      this.#use.add(terms, { message: section.blocks[0]?.message ?? 0, voice: 'agent' });
      return { terms, tokens: section.heading.length * this.#tokensPerCharacter + 3 };
    });
    this.#weights = this.#use.weights(transcript.length);
    this.#held = new Uint8Array(this.#index.size);
    this.#hold(shown);
  }

  /** Shorter texts for what is too large. */
  cuts(): ReplaceEdit[] {
    return this.#cuts.flatMap((cut) => this.#shorter(cut));
  }

  /** The excerpt of what leaves the view, in so many tokens, of which the user's messages may take so many word for word. */
  excerpt(maxTokens: number, usersTokens: number): Excerpt {
    const { context, task } = this;
    const room = maxTokens - context.tokensOf(intro);
    const verbatim = verbatimSections(this.#sections, {
      maxTokens: Math.min(room, usersTokens),
      olderTokens: task.older.reduce((sum, { tokens }) => sum + tokens, 0),
      tokensOf: (said) => context.tokensOf(said),
    });
    const free: Unit[] = [];
    let left = room;
    for (const tokens of verbatim.values()) left -= tokens;
    for (const unit of this.#units) {
      if (verbatim.has(unit.section)) this.#hold(unit.terms);
      else free.push(unit);
    }
    const choices = choose(free, this.#headings, {
      maxTokens: left * spare,
      weights: this.#weights,
      held: this.#held,
    });
    const { text, count } = largestText(choices, {
      maxTokens,
      estimated: left,
      render: (some) => this.#render(some, verbatim),
      tokensOf: (said) => context.tokensOf(said),
    });
    const kept = choices.slice(0, count);
    const lines = task.options.explain
      ? explainChoices(kept, { sections: this.#sections, weights: this.#weights, use: this.#use })
      : [];
    return { text, kept: count + verbatim.size, of: free.length + verbatim.size, lines };
  }

  #render(choices: readonly Choice[], verbatim: ReadonlyMap<number, number>): string {
    const bySection = new Map<number, Unit[]>();
    for (const unit of inOrder(choices)) {
      const own = bySection.get(unit.section);
      if (own === undefined) bySection.set(unit.section, [unit]);
      else own.push(unit);
    }
    const shown: ExcerptSection[] = [];
    this.#sections.forEach((section, position) => {
      const { heading, blocks } = section;
      const own = bySection.get(position);
      if (verbatim.has(position)) shown.push({ heading, text: blocks[0]?.text ?? '' });
      else if (own !== undefined) shown.push({ heading, text: linesOf(section, own) });
    });
    return excerptText(shown);
  }

  #cutOf({ exchanges, maxTokens }: Task['cut'][number]): Cut {
    const messages = exchanges.flatMap((exchange) => exchange.messages);
    const parts = cutPartsOf(messages, this.context);
    const sections = parts.map(({ text, role }): Section => {
      const voice: Voice = role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'tool';
      return {
        heading: '',
        blocks: [{ text, message: this.context.transcript.length, voice }],
        kind: 'call',
      };
    });
    const units = sections.flatMap((section, position) => this.#unitsOf(section, position, 1));
    return { messages, parts, sections, units, maxTokens };
  }

  #shorter({ messages, parts, sections, units, maxTokens }: Cut): ReplaceEdit[] {
    const { context } = this;
    const calls = shorterCalls(messages, maxTokens, context);
    const whole = messages.reduce((sum, { tokens }) => sum + tokens, 0);
    const texts = parts.map(({ shown }) => context.tokensOf(shown));
    const beside = whole - calls.saved - texts.reduce((sum, tokens) => sum + tokens, 0);
    const headings = parts.map(() => ({ terms: [], tokens: markTokens }));
    const held = this.#held.slice();
    const choices = choose(units, headings, {
      maxTokens: (maxTokens - beside) * spare,
      weights: this.#weights,
      held: this.#held,
    });
    const counts = parts.map(() => 0);
    for (const { section } of units) counts[section] = (counts[section] as number) + 1;
    const textsOf = (count: number): string[] => {
      const kept: Unit[][] = parts.map(() => []);
      for (const unit of inOrder(choices.slice(0, count))) kept[unit.section]?.push(unit);
      return parts.map(({ shown }, position) => {
        const some = kept[position] as Unit[];
        const gone = (counts[position] as number) - some.length;
        if (gone === 0 && some.length > 0) return shown;
        const rest = gone === 0 ? '[… blank …]' : `[… ${gone} lines left out …]`;
        const cut = some.length === 0 ? rest : `${linesOf(sections[position] as Section, some)}\n${rest}`;
        return context.tokensOf(cut) < (texts[position] as number) ? cut : shown;
      });
    };
    const count = largestWithin(choices.length, (some) => {
      const tokens = textsOf(some).reduce((sum, text) => sum + context.tokensOf(text), 0);
      return tokens <= maxTokens - beside;
    });
    this.#held.set(held);
    for (const { terms } of inOrder(choices.slice(0, count))) this.#hold(terms);
    const edits = textsOf(count).flatMap((text, position): ReplaceEdit[] => {
      const { message, part, shown } = parts[position] as CutPart;
      return text === shown ? [] : [{ type: 'replace', message, part, text, reason: 'excerpted' }];
    });
    return [...calls.edits, ...edits];
  }

  #unitsOf(section: Section, position: number, weight: number): Unit[] {
    return section.blocks.flatMap((block, blockPosition) => {
      const units = unitsOf(block, {
        section: position,
        block: blockPosition,
        index: this.#index,
        tokensPerCharacter: this.#tokensPerCharacter,
        weight,
      });
      for (const { terms, names } of units) this.#use.add(terms, block, names);
      return units;
    });
  }

  #hold(terms: readonly number[]): void {
    for (const term of terms) this.#held[term] = Math.min(255, (this.#held[term] as number) + 1);
  }
}

/** The units chosen, with what they stand under, in the order of the conversation. */
function inOrder(choices: readonly Choice[]): Unit[] {
  const chosen = new Set<Unit>();
  for (const { unit } of choices) {
    for (const above of aboveOf(unit)) chosen.add(above);
    chosen.add(unit);
  }
  return [...chosen].sort((a, b) => a.section - b.section || a.block - b.block || a.start - b.start);
}

/** Failures of calls that were made again later and then worked. */
function resolvedFailures(sections: readonly Section[]): Set<Section> {
  const worked = new Set<string>();
  const resolved = new Set<Section>();
  for (const section of [...sections].reverse()) {
    if (section.kind === 'call') worked.add(section.heading);
    else if (section.kind === 'failure' && worked.has(section.heading.replace(/ \(failed\)$/, '')))
      resolved.add(section);
  }
  return resolved;
}

/**
 * What the excerpt is of: messages that leave the view, as they were said, and those that had left it before, up to the first of those
 * that stay because they are new. (Where nothing leaves but an excerpt, none that leaves is in the transcript.)
 */
function sourcesOf(
  { view, transcript }: PlanContext,
  leaving: ReadonlySet<string>,
  newest: readonly Exchange[],
) {
  const shown = new Set(view.map(({ id }) => id));
  const recent = new Set(newest.flatMap(idsOf));
  const next = transcript.findIndex(({ id }) => recent.has(id));
  return transcript
    .slice(0, next < 0 ? transcript.length : next)
    .filter(({ id }) => leaving.has(id) || !shown.has(id));
}

function idsOf({ messages }: Exchange): string[] {
  return messages.map(({ id }) => id);
}

function voiceOf({ role }: Message): Voice {
  if (role === 'assistant') return 'agent';
  return role === 'user' ? 'user' : 'tool';
}
