import type { Message, PlanContext, ViewMessage } from '@ctx/core';
import type { Heading } from './choose.js';
import { type CutPart, cutPartsOf } from './cut-parts.js';
import { heldWith } from './held-terms.js';
import type { Originals } from './originals.js';
import { type Section, sectionsOf, type Voice } from './sections.js';
import type { CutGroup, Split } from './split-view.js';
import { TermUse } from './term-use.js';
import { TermIndex } from './terms/index.js';
import { headingUnit, type Unit, unitsOf } from './units.js';
import { headingTokens, openFailureWeight, userWeight } from './weights.js';
import { tokensPerCharacter, wholeText } from './whole-text.js';

/** A group whose texts are shortened, and what they say. */
export interface CutReading {
  readonly messages: readonly ViewMessage[];
  readonly maxTokens: number;
  readonly parts: readonly CutPart[];
  /** A section for each part. */
  readonly sections: readonly Section[];
  readonly units: readonly Unit[];
}

/** What the conversation says, divided into units, and what its terms are worth. */
export interface Reading {
  /** What the excerpt is of. */
  readonly sections: readonly Section[];
  readonly headings: readonly Heading[];
  readonly units: readonly Unit[];
  /** What stays with shorter texts. */
  readonly cut: readonly CutReading[];
  readonly use: TermUse;
  /** Worth of each term by its id. */
  readonly weights: Float64Array;
  /** How often what stays as it is holds each term. */
  readonly held: Uint8Array;
}

/** Reads all that a split view says, and what had left it before. */
export function readView(context: PlanContext, split: Split, originals: Originals): Reading {
  const { transcript } = context;
  const reader = new UnitReader(tokensPerCharacter(context));
  const leaving = new Set(split.older.flatMap(({ messages }) => messages.map(({ id }) => id)));
  const shown = readShown(context, split, reader, leaving);
  const cut = split.cut.map((group) => readCut(group, transcript.length, originals, reader));
  const sections = sectionsOf(sourcesOf(context, split, leaving));
  const { headings, units } = readSections(sections, reader);
  const { use } = reader;
  const held = heldWith(new Uint8Array(use.index.size), shown);
  return { sections, headings, units, cut, use, weights: use.weights(transcript.length), held };
}

/** Divides sections into units, and counts who uses which term. */
class UnitReader {
  readonly use = new TermUse(new TermIndex());

  constructor(readonly tokensPerCharacter: number) {}

  unitsOf(section: Section, position: number, weight: number): Unit[] {
    const { use, tokensPerCharacter } = this;
    return section.blocks.flatMap((block, blockPosition) => {
      const place = { section: position, block: blockPosition };
      const units = unitsOf(block, { ...place, index: use.index, tokensPerCharacter, weight });
      for (const { terms, names } of units) use.add(terms, block, names);
      return units;
    });
  }
}

/** Reads what stays as it is. Returns its terms, except those of the user: what the user names is still worth excerpting. */
function readShown(
  { view, transcript }: PlanContext,
  { cut }: Split,
  { use }: UnitReader,
  leaving: ReadonlySet<string>,
): number[][] {
  const messages = cut.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.messages));
  const shortened = new Set(messages.map(({ id }) => id));
  return view.flatMap(({ id, message }) => {
    if (leaving.has(id) || shortened.has(id)) return [];
    const terms = use.index.idsOf(wholeText(message));
    use.add(terms, { message: transcript.length, voice: voiceOf(message.role) });
    return message.role === 'user' ? [] : [terms];
  });
}

function readCut(
  { exchanges, maxTokens }: CutGroup,
  position: number,
  originals: Originals,
  reader: UnitReader,
): CutReading {
  const messages = exchanges.flatMap((exchange) => exchange.messages);
  const parts = cutPartsOf(messages, originals);
  const sections = parts.map(({ text, role }): Section => {
    const block = { text, message: position, voice: voiceOf(role) };
    return { title: '', heading: '', blocks: [block], kind: 'call' };
  });
  const units = sections.flatMap((section, index) => reader.unitsOf(section, index, 1));
  return { messages, maxTokens, parts, sections, units };
}

function readSections(sections: readonly Section[], reader: UnitReader) {
  const resolved = resolvedFailures(sections);
  const units: Unit[] = [];
  const headings = sections.map((section, position): Heading => {
    const { kind, heading, blocks } = section;
    const isOpen = kind === 'failure' && !resolved.has(section);
    const weight = isOpen ? openFailureWeight : kind === 'user' ? userWeight : 1;
    if (kind === 'call' || kind === 'failure') units.push(headingUnit(position));
    for (const unit of reader.unitsOf(section, position, weight)) units.push(unit);
    const terms = reader.use.index.idsOf(heading);
    reader.use.add(terms, { message: blocks[0]?.message ?? 0, voice: 'agent' });
    return { terms, tokens: heading.length * reader.tokensPerCharacter + headingTokens };
  });
  return { headings, units };
}

/** Failures of calls that were made again later and then worked. */
function resolvedFailures(sections: readonly Section[]): ReadonlySet<Section> {
  const worked = new Set<string>();
  const resolved = new Set<Section>();
  for (const section of sections.toReversed()) {
    if (section.kind === 'call') worked.add(section.title);
    else if (section.kind === 'failure' && worked.has(section.title)) resolved.add(section);
  }
  return resolved;
}

/**
 * The messages that the excerpt is made from: those that leave the view, as they were said, and those that had left it before, up to
 * the first of the newest exchanges.
 */
function sourcesOf({ view, transcript }: PlanContext, { newest }: Split, leaving: ReadonlySet<string>) {
  const shown = new Set(view.map(({ id }) => id));
  const recent = new Set(newest.flatMap(({ messages }) => messages.map(({ id }) => id)));
  const next = transcript.findIndex(({ id }) => recent.has(id));
  return transcript
    .slice(0, next < 0 ? transcript.length : next)
    .filter(({ id }) => leaving.has(id) || !shown.has(id));
}

function voiceOf(role: Message['role']): Voice {
  if (role === 'assistant') return 'agent';
  return role === 'user' ? 'user' : 'tool';
}
