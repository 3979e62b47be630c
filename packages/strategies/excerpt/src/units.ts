import type { Steps } from '@ctx/core';
import { bulkOf, withoutReminders } from './bulk.js';
import * as char from './characters.js';
import type { Form, Forms } from './forms.js';
import { piecesInSteps } from './pieces/index.js';
import type { Piece } from './pieces/piece-writer.js';
import type { Block } from './sections.js';
import { agentWeight, definitionWeight, longestWhole, surroundings } from './weights.js';

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
  /** Whether it is a part of JSON, which says more by itself than a line of a text does. */
  readonly isJson: boolean;
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
  const divided = isShort(block) ? [wholeOf(text)] : yield* piecesInSteps(text);
  const pieces = voice === 'tool' ? withoutReminders(text, divided) : divided;
  const bulk = voice === 'user' ? undefined : bulkOf(text, pieces);
  if (pieces.length > stepUnits) yield;
  for (const piece of pieces) {
    const unit: Unit = {
      block: position,
      ...withSurroundings(text, piece),
      terms: index.idsOf(text, piece.start, piece.end),
      goesOn: before !== undefined && goesOn(text, before, piece),
      isJson: piece.kind === 'json',
      isBulk: bulk?.[units.length] === true,
      weight: (voice === 'agent' ? agentWeight : 1) * (isDefinition(text, piece) ? definitionWeight : 1),
      form: voice === 'user' ? undefined : forms?.of(text, piece.start, piece.end),
    };
    unit.form?.count(unit);
    before = piece;
    if (units.push(unit) % stepUnits === 0) yield;
  }
  return units;
}

/** Whether somebody said or wrote a few lines, which are kept as a whole or not at all. */
function isShort({ text, voice }: Block): boolean {
  return voice !== 'tool' && text.length <= longestWhole && text.trim() !== '';
}

function wholeOf(text: string): Piece {
  const start = text.length - text.trimStart().length;
  return { start, end: text.trimEnd().length, kind: 'line' };
}

/** Whether a line begins a function, a class, a type or the like, or a part of a document. */
function isDefinition(text: string, { start, end }: Piece): boolean {
  return definition.test(text.slice(start, Math.min(end, start + longestDefinition)));
}

/** The name of a definition stands within this many characters; the rest need not be looked at. */
const longestDefinition = 200;
const definition =
  /^[ \t]*(?:\d+(?:→|\t|: ?|\|)[ \t]*)?(?:#{1,6} \S|(?:export |default |public |private |protected |internal |static |abstract |final |async |override |pub(?:\([a-z]+\))? |unsafe )*(?:function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace|record|protocol)[ \t(])/;

function goesOn(text: string, before: Piece, piece: Piece): boolean {
  return !hasBlankLine(text, before.end, piece.start);
}

function hasBlankLine(text: string, start: number, end: number): boolean {
  return end - start > 1 && /\n[^\S\n]*\n/.test(text.slice(start, end));
}

function withSurroundings(text: string, { start, end }: Piece): { start: number; end: number } {
  return { start: surroundingStart(text, start), end: surroundingEnd(text, end) };
}

function surroundingStart(text: string, start: number): number {
  if (start === 0 || text.charCodeAt(start - 1) === char.lineFeed) return start;
  const before = text.slice(Math.max(0, start - surroundings), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.trim() === '' ? start : wordStart(text, characterStart(text, start - line.length));
}

function surroundingEnd(text: string, end: number): number {
  if (end === text.length || text.charCodeAt(end) === char.lineFeed) return end;
  const after = text.slice(end, end + surroundings);
  const lineBreak = after.indexOf('\n');
  return lineBreak < 0 ? wordEnd(text, characterStart(text, end + after.length)) : end + lineBreak;
}

/** The start of the word that an offset is in, if it is near: half an id can't be read. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > at - surroundings && isWithinWord(text, start)) start -= 1;
  return isWithinWord(text, start) ? at : start;
}

function wordEnd(text: string, at: number): number {
  let end = at;
  while (end < at + surroundings && isWithinWord(text, end)) end += 1;
  return isWithinWord(text, end) ? at : end;
}

function isWithinWord(text: string, at: number): boolean {
  return /^[\w-]{2}$/.test(text.slice(at - 1, at + 1));
}

/** The offset, moved back by one if it would split a surrogate pair. */
function characterStart(text: string, at: number): number {
  return char.isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}
