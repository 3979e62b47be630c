import { pathsOf } from '@ctx/core/kit';
import * as char from './characters.js';
import { type Piece, piecesOf } from './pieces/index.js';
import type { Block, Section } from './sections.js';
import type { TermIndex } from './terms/index.js';
import { lineTokens, longestJoint, surroundings } from './weights.js';

/** The smallest part of a text that can be kept by itself. */
export interface Unit {
  /** The position of its section, and of its block within the section. */
  readonly section: number;
  readonly block: number;
  /** Its offsets in the block's text. */
  readonly start: number;
  readonly end: number;
  /** Estimated tokens. */
  readonly tokens: number;
  /** Ids of its terms; `names` are the terms that occur as names of JSON members. */
  readonly terms: readonly number[];
  readonly names: readonly number[];
  /** A factor on its worth. */
  readonly weight: number;
  /** The unit that it depends on, such as a table's header. */
  readonly under: Unit | undefined;
}

export interface UnitOptions {
  readonly section: number;
  readonly block: number;
  readonly index: TermIndex;
  readonly tokensPerCharacter: number;
  /** A factor on the worth of each unit. */
  readonly weight: number;
}

const none: readonly number[] = [];

/** Divides a block into units, in order. */
export function unitsOf(block: Block, options: UnitOptions): Unit[] {
  const { text } = block;
  const { section, block: position, index, tokensPerCharacter, weight } = options;
  const path = pathOf(block.call);
  const units: Unit[] = [];
  for (const piece of piecesOf(text, path === undefined ? {} : { path })) {
    const { start, end } = withSurroundings(text, piece);
    units.push({
      section,
      block: position,
      start,
      end,
      tokens: (end - start) * tokensPerCharacter + lineTokens,
      terms: index.idsOf(text, piece.start, piece.end),
      names: piece.kind === 'json' ? index.idsOf(memberNames(text.slice(piece.start, piece.end))) : none,
      weight: piece.weight * weight,
      under: piece.under === undefined ? undefined : units[piece.under],
    });
  }
  return units;
}

/** A unit for a heading alone. Choosing it shows the heading without adding a line. */
export function headingUnit(section: number): Unit {
  const terms = none;
  return { section, block: 0, start: 0, end: 0, tokens: 0, terms, names: none, weight: 1, under: undefined };
}

/** The file that a call names, or the first of several. */
function pathOf(call: Block['call']): string | undefined {
  return call && pathsOf(call.input, { names: [call.toolName] })[0];
}

function memberNames(json: string): string {
  return [...json.matchAll(/"([^"\\\n]{1,80})"\s*:/g)].map(([, name]) => name).join('\n');
}

function withSurroundings(text: string, { start, end }: Piece): { start: number; end: number } {
  return { start: surroundingStart(text, start), end: surroundingEnd(text, end) };
}

function surroundingStart(text: string, start: number): number {
  if (start === 0 || text.charCodeAt(start - 1) === char.lineFeed) return start;
  const before = text.slice(Math.max(0, start - surroundings), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return line.trim() === '' ? start : characterStart(text, start - line.length);
}

function surroundingEnd(text: string, end: number): number {
  if (end === text.length || text.charCodeAt(end) === char.lineFeed) return end;
  const after = text.slice(end, end + surroundings);
  const lineBreak = after.indexOf('\n');
  return characterStart(text, end + (lineBreak < 0 ? after.length : lineBreak));
}

/** The offset, moved back by one if it would split a surrogate pair. */
function characterStart(text: string, at: number): number {
  return char.isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

/** Writes the chosen units of a section, in order. Neighbours in one line stay on one line; every other unit gets its own line. */
export function linesOf(section: Section, units: readonly Unit[]): string {
  const lines: string[] = [];
  let block = -1;
  let done = 0;
  for (const unit of units) {
    const { text } = section.blocks[unit.block] as Block;
    const isSame = unit.block === block;
    const start = isSame ? Math.max(unit.start, done) : unit.start;
    if (unit.end <= start) continue;
    const said = text.slice(start, unit.end);
    if (isSame && start - done <= longestJoint && /^[^\S\n]*[,;]?[^\S\n]*$/.test(text.slice(done, start)))
      lines[lines.length - 1] += text.slice(done, start) + said;
    else lines.push(said);
    block = unit.block;
    done = unit.end;
  }
  return lines.join('\n');
}
