import type { Steps } from '@ctx/core';
import { bulkOf } from './bulk.js';
import * as char from './characters.js';
import { piecesInSteps } from './pieces/index.js';
import type { Piece } from './pieces/piece.js';
import type { Block } from './sections.js';
import { UnitList } from './unit-list.js';
import { UnitTable } from './unit-table.js';
import { agentWeight, definitionWeight, longestWhole, surroundings } from './weights.js';

/** Finds the terms of a part of a text. */
export interface TermSource {
  idsOf(text: string, start?: number, end?: number): number[];
}

/** Units that are made in a step. */
const stepUnits = 20;

/**
 * Divides a block into units, in order.
 * @param position the block's position in its section
 */
export function* unitsOf(block: Block, position: number, index: TermSource): Steps<UnitList> {
  const table = new UnitTable();
  yield* addUnits(table, block, position, index);
  return new UnitList(table, 0, table.size);
}

/**
 * Divides a block of a conversation into units, and adds them to its table.
 * @param onTerms is told the terms of each unit, and those that are names of JSON members; without it, the block is no part of a conversation,
 * and the forms of its units are not counted
 */
export function* addUnits(
  table: UnitTable,
  block: Block,
  position: number,
  index: TermSource,
  onTerms?: (terms: readonly number[], names: readonly number[]) => void,
): Steps<void> {
  const { text } = block;
  const hasForm = onTerms !== undefined && block.voice !== 'user';
  let before: Piece | undefined;
  const pieces = isShort(block) ? [wholeOf(text)] : yield* piecesInSteps(text);
  const bulk = block.voice === 'tool' ? bulkOf(text, pieces) : undefined;
  if (pieces.length > stepUnits) yield;
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece;
    const { start, end } = withSurroundings(text, piece);
    const terms = index.idsOf(text, piece.start, piece.end);
    const isJson = piece.kind === 'json';
    table.add({
      block: position,
      start,
      end,
      terms,
      goesOn: before !== undefined && goesOn(text, before, piece),
      isJson,
      isBulk: bulk?.[at] === true,
      form: hasForm ? table.forms.add(text, piece.start, piece.end, table.size) : -1,
      weight:
        (block.voice === 'agent' ? agentWeight : 1) * (isDefinition(text, piece) ? definitionWeight : 1),
    });
    onTerms?.(terms, isJson ? index.idsOf(memberNames(text.slice(piece.start, piece.end))) : none);
    before = piece;
    if ((at + 1) % stepUnits === 0) yield;
  }
}

const none: readonly number[] = [];

/** Whether somebody said or wrote a few lines, which are kept as a whole or not at all. */
function isShort({ text, voice }: Block): boolean {
  return voice !== 'tool' && text.length <= longestWhole && text.trim() !== '';
}

function wholeOf(text: string): Piece {
  const start = text.length - text.trimStart().length;
  return { start, end: text.trimEnd().length, kind: 'line' };
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
  return char.isWord(text.charCodeAt(at - 1)) && char.isWord(text.charCodeAt(at));
}

/** The offset, moved back by one if it would split a surrogate pair. */
function characterStart(text: string, at: number): number {
  return char.isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}
