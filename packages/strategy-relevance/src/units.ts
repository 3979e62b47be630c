import { pathsOf } from '@ctx/core/kit';
import * as char from './characters.js';
import { type Piece, piecesOf } from './pieces/index.js';
import type { Block, Section } from './sections.js';
import type { TermIndex } from './terms/index.js';
import { lineTokens, longestJoint, surroundings } from './weights.js';

/** The smallest part of a text that can be kept alone. */
export interface Unit {
  /** Position of its section, and of its block in that section. */
  readonly section: number;
  readonly block: number;
  /** Where it begins and ends in the block's text. */
  readonly start: number;
  readonly end: number;
  /** Estimated tokens. */
  readonly tokens: number;
  /** Ids of the terms in it; `names` are those of them that name members of JSON. */
  readonly terms: readonly number[];
  readonly names: readonly number[];
  /** Factor on its worth. */
  readonly weight: number;
  /** The unit that it makes no sense without. */
  readonly under: Unit | undefined;
}

export interface UnitOptions {
  readonly section: number;
  readonly block: number;
  readonly index: TermIndex;
  readonly tokensPerCharacter: number;
  /** Factor on the worth of each. */
  readonly weight: number;
}

const none: readonly number[] = [];

/** The units of a block, in order. */
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

/** A heading without any line, so that no empty line is kept for it. */
export function headingUnit(section: number): Unit {
  const terms = none;
  return { section, block: 0, start: 0, end: 0, tokens: 0, terms, names: none, weight: 1, under: undefined };
}

/** The file that a call names; the first if it names several. */
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

/** The offset, moved back if it splits a surrogate pair. */
function characterStart(text: string, at: number): number {
  return char.isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

/** Chosen units of a section, in order, as text. Neighbours in a line stay together, other units have lines of their own. */
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
