import type { Steps } from '@ctx/core';
import { pathsOf } from '@ctx/core/kit';
import * as char from './characters.js';
import { type Piece, piecesOf } from './pieces/index.js';
import type { Block, Section } from './sections.js';
import {
  agentWeight,
  definitionWeight,
  jsonPassageShare,
  longestWhole,
  passageShare,
  surroundings,
} from './weights.js';

/** The smallest part of a text that can be kept by itself. */
export interface Unit {
  /** The position of its block in the section; -1 for the heading alone. */
  readonly block: number;
  /** Its position among the units of its block. */
  readonly position: number;
  /** Its offsets in the block's text. */
  readonly start: number;
  readonly end: number;
  /** Ids of its terms; `names` are the terms that occur as names of JSON members. */
  readonly terms: readonly number[];
  readonly names: readonly number[];
  /** Whether it follows the unit before it with no blank line in between. Then the two make more sense together. */
  readonly goesOn: boolean;
  /** The share of its worth that counts only if its neighbours are kept too, 0–1. */
  readonly passageShare: number;
  /** A factor on its worth. */
  readonly weight: number;
  /** The position of the unit that it depends on, such as a table's header; -1 for none. */
  readonly under: number;
}

/** Finds the terms of a part of a text. */
export interface TermSource {
  idsOf(text: string, start?: number, end?: number): number[];
}

/** Units that are made in a step. */
const stepUnits = 20;

const none: readonly number[] = [];

/** A unit for a heading alone. Choosing it shows the heading without adding a line. */
export const headingUnit: Unit = {
  block: -1,
  position: -1,
  start: 0,
  end: 0,
  terms: none,
  names: none,
  goesOn: false,
  passageShare: 0,
  weight: 1,
  under: -1,
};

/**
 * Divides a block into units, in order.
 * @param position the block's position in its section
 */
export function* unitsOf(block: Block, position: number, index: TermSource): Steps<Unit[]> {
  const { text } = block;
  const path = pathOf(block.call);
  const units: Unit[] = [];
  let before: Piece | undefined;
  const pieces = isShort(block) ? [wholeOf(text)] : piecesOf(text, path === undefined ? {} : { path });
  if (pieces.length > stepUnits) yield;
  for (const piece of pieces) {
    const { start, end } = withSurroundings(text, piece);
    units.push({
      block: position,
      position: units.length,
      start,
      end,
      terms: index.idsOf(text, piece.start, piece.end),
      names: piece.kind === 'json' ? index.idsOf(memberNames(text.slice(piece.start, piece.end))) : none,
      goesOn: before !== undefined && goesOn(text, before, piece),
      passageShare: piece.kind === 'json' ? jsonPassageShare : passageShare,
      weight:
        piece.weight *
        (block.voice === 'agent' ? agentWeight : 1) *
        (isDefinition(text, piece) ? definitionWeight : 1),
      under: piece.under ?? -1,
    });
    before = piece;
    if (units.length % stepUnits === 0) yield;
  }
  // A copy of a list has no room to grow.
  return units.slice();
}

/** Whether somebody said or wrote a few lines, which are kept as a whole or not at all. */
function isShort({ text, voice }: Block): boolean {
  return voice !== 'tool' && text.length <= longestWhole && text.trim() !== '';
}

function wholeOf(text: string): Piece {
  const start = text.length - text.trimStart().length;
  return { start, end: text.trimEnd().length, kind: 'line', weight: 1 };
}

/** The file that a call names, or the first of several. */
function pathOf(call: Block['call']): string | undefined {
  return call && pathsOf(call.input, { names: [call.toolName] })[0];
}

function memberNames(json: string): string {
  return [...json.matchAll(/"([^"\\\n]{1,80})"\s*:/g)].map(([, name]) => name).join('\n');
}

/** Whether a line begins a function, a class, a type or the like, or a part of a document. */
function isDefinition(text: string, { start, end }: Piece): boolean {
  return definition.test(text.slice(start, Math.min(end, start + longestDefinition)));
}

/** The name of a definition stands within this many characters; the rest need not be looked at. */
const longestDefinition = 200;
const definition =
  /^[ \t]*(?:\d+(?:→|\t|: ?|\|)[ \t]*)?(?:#{1,6} \S|(?:export |default |public |private |protected |internal |static |abstract |final |async |override |pub(?:\([a-z]+\))? |unsafe )*(?:function\*?|class|interface|type|enum|struct|trait|impl|def|fn|func|module|namespace|record|protocol)[ \t(])/;

/** A row of a table brings the table's header and needs no other row. */
function goesOn(text: string, before: Piece, piece: Piece): boolean {
  return before.kind !== 'row' && piece.kind !== 'row' && !hasBlankLine(text, before.end, piece.start);
}

function hasBlankLine(text: string, start: number, end: number): boolean {
  const first = text.indexOf('\n', start);
  return first >= 0 && first < end && /\n[^\S\n]*\n/.test(text.slice(start, end));
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

/** Stands where something is left out between two passages. */
export const gapMark = '…';

/** Writes units of a section, in order. Units that follow each other stand as they stood; a gap has a mark. */
export function linesOf({ blocks }: Pick<Section, 'blocks'>, units: readonly Unit[]): string {
  let written = '';
  let before: Unit | undefined;
  let done = 0;
  for (const unit of units) {
    if (unit.position < 0) continue;
    const { text } = blocks[unit.block] as Block;
    const isSame = before?.block === unit.block;
    if (isSame && unit.end <= done) continue;
    if (isSame && (unit.position === (before as Unit).position + 1 || unit.start <= done))
      written += text.slice(done, unit.end);
    else {
      const gap = isSame ? `\n${gapMark}\n` : before === undefined ? '' : '\n';
      written += gap + text.slice(unit.start, unit.end);
    }
    before = unit;
    done = unit.end;
  }
  return written;
}
