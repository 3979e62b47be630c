import { parseJson } from '../base/exact-json.js';
import { finish, itemsPerStep, type Steps } from '../base/slices.js';
import { cutJsonInSteps } from './cut-json.js';
import { pluralise, startOf } from './cut-text.js';
import { reportsFailure } from './failures.js';

/** A result that is too large, and how much of it may be shown. */
export interface LargeResult {
  readonly text: string;
  /** Tokens of the whole result, with what is not in the text because no model can read it. */
  readonly tokens: number;
  readonly maxTokens: number;
  readonly asked: string;
  readonly handle: string;
  /** The number of its first line under the handle; undefined if its lines are not those of the archive. */
  readonly firstLine: number | undefined;
  readonly recallTool: string | undefined;
  countInSteps(text: string): Steps<number>;
}

/** Tokens of a note on what is left out between two lines. */
const noteTokens = 12;
/** UTF-16 units. A longer line is divided into parts of at most this length. A limit. */
const longestPart = 300;
/** UTF-16 units of a line that stays between two others, as a note in its place would be no shorter. */
const shortLine = 40;
/** Lines after one that reports a failure or has what was asked for: they say where, and what about it. */
const linesAfter = 2;
/** UTF-16 units of JSON that is not parsed, which takes 20 ms for so many. A limit. */
const longestJson = 4_000_000;
/** The share of an excerpt for the form of JSON. A limit. */
const formShare = 0.2;
/** How often the room is made smaller because the excerpt was too long. */
const maxAttempts = 6;

interface Unit {
  readonly start: number;
  readonly end: number;
  readonly line: number;
  /** White space before its first word, apart from the number that a tool writes before each line; -1 for a blank line. */
  readonly indent: number;
}

/**
 * An excerpt of a result, with a first line that says what it is: the keys of JSON, the beginning, the end, lines that report failures, those that
 * have rare words of what was asked for, and those that begin a section. Lines are verbatim.
 */
export function* resultExcerpt(large: LargeResult): Steps<string> {
  const { text, maxTokens, asked, countInSteps } = large;
  const units = yield* unitsOf(text);
  const opening = yield* openingOf(large, (units.at(-1)?.line ?? 0) + 1);
  const lists = yield* rankedUnits(text, units, asked);
  const perCharacter = (yield* countInSteps(text)) / Math.max(1, text.length);
  let room = maxTokens - (yield* countInSteps(opening));
  for (let attempt = 0; attempt < maxAttempts && room > 0; attempt += 1) {
    const excerpt = written(large, opening, units, chosen(units, lists, room, perCharacter));
    const count = yield* countInSteps(excerpt);
    if (count <= maxTokens) return excerpt;
    room = Math.floor(room * Math.min(0.9, (0.98 * maxTokens) / count));
  }
  return opening;
}

/** The white space that a line begins with, after `12→`, `12\t` or `12: `, if anything follows. */
const indented = /^(?: *\d+(?:[→\t|]|: ?))?([ \t]*)\S/;

function* unitsOf(text: string): Steps<Unit[]> {
  const units: Unit[] = [];
  let line = 0;
  for (let start = 0; start <= text.length; line += 1) {
    if (line % itemsPerStep === 0) yield;
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const indent = indented.exec(text.slice(start, Math.min(end, start + longestPart)))?.[1]?.length ?? -1;
    for (let from = start; from < end || from === start; ) {
      const to = partEnd(text, from, end);
      units.push({ start: from, end: to, line, indent });
      from = to === from ? end + 1 : to;
      if (units.length % itemsPerStep === 0) yield;
    }
    start = end + 1;
  }
  return units;
}

/** Where a part of a line ends: after a value of JSON or a word, if there is one in its second half. */
function partEnd(text: string, start: number, end: number): number {
  if (end - start <= longestPart) return end;
  const part = startOf(text.slice(start, end), longestPart);
  const last = Math.max(...['},', '",', ' '].map((sign) => part.lastIndexOf(sign) + sign.length));
  return start + (last > longestPart / 2 ? last : part.length);
}

/** Positions of units, the best of each kind first: what begins a section, failures, what was asked for, the end, the beginning. */
function* rankedUnits(text: string, units: readonly Unit[], asked: string): Steps<number[][]> {
  const sought = new Set(wordsIn(asked).filter((word) => word.length > 3 || /\d/.test(word)));
  const uses = new Map<string, number>();
  const named: string[][] = [];
  const outline: number[] = [];
  const failing: number[] = [];
  for (const [at, { start, end, indent }] of units.entries()) {
    if (at % itemsPerStep === 0) yield;
    const line = text.slice(start, end);
    const words = [...new Set(wordsIn(line).filter((word) => sought.has(word)))];
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
    named.push(words);
    if (reportsFailure(line)) failing.push(at);
    const opens = indent === 0 && (units[at + 1]?.indent ?? 0) > 0;
    if (opens || /^#{1,6} /.test(line)) outline.push(at);
  }
  const all = [...units.keys()];
  // A rare word says more than one that each line has.
  const worth = named.map((words) => words.reduce((sum, word) => sum + 1 / (uses.get(word) as number), 0));
  const best = all.filter((at) => worth[at] !== 0);
  best.sort((one, other) => (worth[other] as number) - (worth[one] as number) || one - other);
  // The first failure is the cause, the last ones are the verdict.
  const failures = failing.flatMap((one, at) => [one, failing[failing.length - 1 - at] as number]);
  const withNext = (some: readonly number[]) => some.flatMap((at) => all.slice(at, at + 1 + linesAfter));
  return [outline, withNext(failures), withNext(best), all.toReversed(), all];
}

const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function chosen(
  units: readonly Unit[],
  lists: readonly number[][],
  room: number,
  perCharacter: number,
): number[] {
  const kept = new Set<number>();
  const queues = lists.map((list) => list.values());
  for (let left = room; ; ) {
    const before = left;
    for (const queue of queues) {
      let at = queue.next().value;
      while (at !== undefined && kept.has(at)) at = queue.next().value;
      if (at === undefined) continue;
      const { start, end } = units[at] as Unit;
      left -= (end - start + 1) * perCharacter + (kept.has(at - 1) || kept.has(at + 1) ? 0 : noteTokens);
      if (left < 0) return filled(units, kept);
      kept.add(at);
    }
    if (left === before) return filled(units, kept);
  }
}

function filled(units: readonly Unit[], kept: ReadonlySet<number>): number[] {
  const isShort = (at: number) => (units[at] as Unit).end - (units[at] as Unit).start <= shortLine;
  return [...units.keys()].filter(
    (at) => kept.has(at) || (kept.has(at - 1) && kept.has(at + 1) && isShort(at)),
  );
}

/** What the excerpt is, how much there is, how to read it, and the form of JSON. */
function* openingOf(large: LargeResult, lines: number): Steps<string> {
  const { tokens, handle, recallTool } = large;
  const reader = recallTool === undefined ? `under ${handle}` : `with ${recallTool}, ref ${handle}`;
  const size = `${pluralise(tokens, 'token')}${lines > 1 ? ` in ${pluralise(lines, 'line')}` : ''}`;
  return `[Excerpt of a result of ${size}. Read all of it ${reader}. … stands for what is left out.]${yield* formOf(large)}`;
}

/** JSON with all but the first and the last items of its lists, and how many there are; empty for another text. */
function* formOf({ text, maxTokens, countInSteps }: LargeResult): Steps<string> {
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return '';
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return '';
  }
  const tokensOf = (some: string) => finish(countInSteps(some));
  const form = yield* cutJsonInSteps(value, { maxTokens: maxTokens * formShare, tokensOf, countInSteps });
  return form === undefined ? '' : `\n[In short: ${form}]`;
}

function written(
  { text, handle, firstLine }: LargeResult,
  opening: string,
  units: readonly Unit[],
  kept: readonly number[],
): string {
  let excerpt = opening;
  let before = -1;
  for (const at of [...kept, units.length]) {
    const unit = units[at];
    const last = units[before];
    const isSameLine = last !== undefined && last.line === unit?.line;
    let begin = isSameLine ? '' : '\n';
    if (at > before + 1) {
      const [first, end] = [units[before + 1] as Unit, units[at - 1] as Unit];
      const [cutsLast, cutsNext] = [first.line === last?.line, end.line === unit?.line];
      const [from, to] = [first.line + Number(cutsLast), end.line - Number(cutsNext)];
      const place =
        firstLine === undefined
          ? ''
          : `${handle}:${firstLine + from}${to > from ? `-${firstLine + to}` : ''} `;
      if (cutsLast) excerpt += ' …';
      if (from <= to) excerpt += `\n[… ${place}…]`;
      if (cutsNext) begin += isSameLine ? ' ' : '… ';
    }
    if (unit === undefined) break;
    excerpt += `${begin}${text.slice(unit.start, unit.end)}`;
    before = at;
  }
  return excerpt;
}
