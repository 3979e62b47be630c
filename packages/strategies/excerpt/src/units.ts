import type { Steps } from '@ctx/core';
import { isProse } from './briefs.js';
import { bulkOf, withoutNumber } from './bulk.js';
import { definedBy } from './definition.js';
import type { Form, Forms } from './forms.js';
import { piecesInSteps } from './pieces/index.js';
import type { Piece } from './pieces/piece-writer.js';
import type { Block } from './sections.js';
import { favouredWeight, sizes } from './weights.js';

/** The smallest part of a text that can be kept by itself. */
export interface Unit {
  /** The position of its block in the section. */
  readonly block: number;
  /** Its offsets in the block's text. */
  readonly start: number;
  readonly end: number;
  /** Ids of its terms. */
  readonly terms: readonly number[];
  /** Whether it follows the unit before it with no blank line in between. Then the two make more sense together. */
  readonly goesOn: boolean;
  /** Whether it is one of many alike that follow each other. @default false */
  readonly isBulk?: boolean;
  /** A factor on its worth. */
  readonly weight: number;
  /** Undefined if it is not counted. */
  readonly form?: Form | undefined;
}

/** Finds the terms of a part of a text. */
export interface TermSource {
  idsOf(text: string, start?: number, end?: number): number[];
}

/** Units that are made in a step. */
const stepUnits = 20;

/**
 * Divides a block into units, in order.
 * @param position the block's position in its section
 * @param forms the forms of the conversation's units; without it, the block is no part of a conversation
 */
export function* unitsOf(block: Block, position: number, index: TermSource, forms?: Forms): Steps<Unit[]> {
  const { text, voice } = block;
  const units: Unit[] = [];
  let before: Piece | undefined;
  const pieces = isShort(block) ? [wholeOf(text)] : withBodies(text, yield* piecesInSteps(text));
  const bulk = voice === 'user' ? undefined : bulkOf(text, pieces);
  if (pieces.length > stepUnits) yield;
  for (const piece of pieces) {
    const unit: Unit = {
      block: position,
      start: piece.start,
      end: piece.end,
      terms: drawing.test(text.slice(piece.start, piece.end))
        ? []
        : index.idsOf(text, piece.start, piece.end),
      goesOn: before !== undefined && !/\n[^\S\n]*\n/.test(text.slice(before.end, piece.start)),
      isBulk: bulk?.[units.length] === true,
      weight: (voice === 'agent' ? favouredWeight : 1) * (isDefinition(text, piece) ? favouredWeight : 1),
      form: voice === 'user' ? undefined : forms?.of(text, piece.start, piece.end),
    };
    unit.form?.count(unit);
    before = piece;
    if (units.push(unit) % stepUnits === 0) yield;
  }
  return units;
}

/** Coordinates, as of a path in SVG: they look like ids, and nobody speaks of them. */
const drawing = /(?:[MLHVCSQTAZ] ?-?\d[\d .,-]{0,60}){6}/i;

/** Whether somebody said or wrote a few lines, which are kept as a whole or not at all. */
function isShort({ text, voice }: Block): boolean {
  return voice !== 'tool' && text.length <= sizes.line && text.trim() !== '';
}

function wholeOf(text: string): Piece {
  const start = text.length - text.trimStart().length;
  return { start, end: text.trimEnd().length, kind: 'line' };
}

/** Whether a line begins a function, a class, a type or the like, or a part of a document. */
function isDefinition(text: string, { start, end }: Piece): boolean {
  const line = text.slice(start, end);
  return heading.test(line) || definedBy(line) !== undefined;
}

/** Joins a definition to its body, and a list to the line that introduces it, where these are short: `interface Point {` by itself says nothing. */
function withBodies(text: string, pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece;
    const end = bodyEnd(text, pieces, at);
    joined.push({ ...piece, end: (pieces[end] as Piece).end });
    at = end;
  }
  return joined;
}

/** The position of the last piece of what a line opens; its own if it opens nothing, or much. */
function bodyEnd(text: string, pieces: readonly Piece[], at: number): number {
  const { start, end: opens } = pieces[at] as Piece;
  const line = text.slice(start, opens);
  const isCode = /[{([]\s*$/.test(line);
  if (!(isCode && isDefinition(text, pieces[at] as Piece)) && !introduces(line)) return at;
  const indent = indentOf(line).length;
  for (let last = at + 1; last < pieces.length; last += 1) {
    const { start: from, end } = pieces[last] as Piece;
    if (end - start > sizes.paragraph) return at;
    const next = text.slice(from, end);
    if (indentOf(next).length > indent || (!isCode && listItem.test(withoutNumber(next)))) continue;
    return !isCode ? last - 1 : /^\s*[})\]]/.test(withoutNumber(next)) ? last : at;
  }
  return isCode ? at : pieces.length - 1;
}

/** Whether a line is a sentence that ends with a colon. */
function introduces(line: string): boolean {
  return /:\**\s*$/.test(line) && isProse(line);
}

const listItem = /^\s*(?:[-*+•] |\d{1,3}[.)] |\[[ xX]\] )/;

function indentOf(line: string): string {
  return /^\s*/.exec(withoutNumber(line))?.[0] ?? '';
}

/** The heading of a part of a document, behind the number of a line. */
const heading = /^[ \t]*(?:\d+(?:→|\t|: ?|\|)[ \t]*)?#{1,6} \S/;
