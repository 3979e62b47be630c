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

/** A group of messages whose texts are cut, divided into units. */
export interface CutReading {
  readonly messages: readonly ViewMessage[];
  readonly roomTokens: number;
  readonly parts: readonly CutPart[];
  /** One section per part. */
  readonly sections: readonly Section[];
  readonly units: readonly Unit[];
}

/** The conversation divided into units, with the worth of its terms. */
export interface Reading {
  /** The sections that the excerpt is made from. */
  readonly sections: readonly Section[];
  readonly headings: readonly Heading[];
  readonly units: readonly Unit[];
  /** The groups that stay but are cut. */
  readonly cut: readonly CutReading[];
  readonly use: TermUse;
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the messages that stay unchanged contain it; at most 255. */
  readonly held: Uint8Array;
}

/** Reads a split view, and the messages that earlier compressions removed. */
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

/** Divides sections into units, and records who uses each term. */
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

/**
 * Reads the messages that stay unchanged. Returns their terms, except those of user messages: a line about something that the user
 * mentions is still worth keeping.
 */
function readShown(
  { view, transcript }: PlanContext,
  { cut }: Split,
  { use }: UnitReader,
  leaving: ReadonlySet<string>,
): number[][] {
  const messages = cut.flatMap(({ exchanges }) => exchanges.flatMap((exchange) => exchange.messages));
  const cutIds = new Set(messages.map(({ id }) => id));
  return view.flatMap(({ id, message }) => {
    if (leaving.has(id) || cutIds.has(id)) return [];
    const terms = use.index.idsOf(wholeText(message));
    use.add(terms, { message: transcript.length, voice: voiceOf(message.role) });
    return message.role === 'user' ? [] : [terms];
  });
}

function readCut(
  { exchanges, roomTokens }: CutGroup,
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
  return { messages, roomTokens, parts, sections, units };
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

/** Failed calls that were repeated later and then succeeded. */
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
 * The original messages that the excerpt is made from: those that leave the view now and those that left it earlier, up to the first of
 * the newest exchanges.
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
