import { parseJson } from '../base/exact-json.js';
import { itemsPerStep, type Steps } from '../base/slices.js';
import { pluralise, startOf } from './cut-text.js';
import { reportsFailure } from './failures.js';

/** A result that is too large, and how much of it may be shown. */
export interface LargeResult {
  readonly text: string;
  /** Tokens of the whole result, with what is not in the text because no model can read it. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** What the result was asked for. */
  readonly asked: string;
  /** The handle of its message. */
  readonly handle: string;
  /** The number of its first line under the handle; undefined if its lines are not those of the archive. */
  readonly firstLine: number | undefined;
  /** The tool that reads handles. */
  readonly recallTool: string | undefined;
  countInSteps(text: string): Steps<number>;
}

/** Shares of the room for the beginning, the end, failures, what was asked for, and the outline. The beginning gets the rest. Limits. */
const shares = { head: 0.15, tail: 0.15, failures: 0.2, asked: 0.25, outline: 0.4 };
/** Tokens of a note between two lines. */
const noteTokens = 14;
/** UTF-16 units. A longer line is divided into parts of at most this length. A limit. */
const longestPart = 300;
/** Lines after one that reports a failure or has what was asked for: they say where, and what about it. */
const linesAfter = 2;
/** How often the room is made smaller because the excerpt was too long. */
const maxAttempts = 6;

/** A line, or a part of a long one. */
interface Unit {
  readonly start: number;
  readonly end: number;
  /** Counted from 0. */
  readonly line: number;
  /** White space before its first word, apart from the number that a tool writes before each line. */
  readonly indent: number;
}

/**
 * An excerpt of a result, with a first line that says what it is: the keys of JSON, the beginning, the end, lines that report failures, those that
 * have rare words of what was asked for, and those that begin a section. Lines are verbatim.
 */
export function* resultExcerpt(large: LargeResult): Steps<string> {
  const { text, maxTokens, countInSteps } = large;
  const units = yield* unitsOf(text);
  const opening = openingOf(large, units);
  const ranked = yield* rankedUnits(text, units, large.asked);
  const perCharacter = (yield* countInSteps(text)) / Math.max(1, text.length);
  const room = maxTokens - (yield* countInSteps(opening));
  for (let attempt = 0, size = room; attempt < maxAttempts && size > 0; attempt += 1) {
    const kept = filled(units, chosen(units, ranked, size, perCharacter), perCharacter);
    const excerpt = written(large, opening, units, kept);
    const count = yield* countInSteps(excerpt);
    if (count <= maxTokens) return excerpt;
    size = Math.floor(size * Math.min(0.9, (0.98 * maxTokens) / count));
  }
  return opening;
}

/** The white space that a line begins with, after `12→`, `12\t` or `12:`. */
const indented = /^(?: *\d+[→\t:|])?([ \t]*)/;

function* unitsOf(text: string): Steps<Unit[]> {
  const units: Unit[] = [];
  let line = 0;
  for (let start = 0; start <= text.length; line += 1) {
    if (line % itemsPerStep === 0) yield;
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const indent = indented.exec(text.slice(start, Math.min(end, start + longestPart)))?.[1]?.length ?? 0;
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

/** Positions of units, in each list the best first. */
type Ranked = Readonly<Record<keyof typeof shares, readonly number[]>>;

function* rankedUnits(text: string, units: readonly Unit[], asked: string): Steps<Ranked> {
  const sought = new Set(wordsIn(asked).filter((word) => word.length > 3 || /\d/.test(word)));
  const uses = new Map<string, number>();
  const named: (readonly string[])[] = [];
  const failing: number[] = [];
  const outline: number[] = [];
  for (const [at, { start, end, indent }] of units.entries()) {
    if (at % itemsPerStep === 0) yield;
    const line = text.slice(start, end);
    const words = [...new Set(wordsIn(line).filter((word) => sought.has(word)))];
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
    named.push(words);
    if (reportsFailure(line)) failing.push(at);
    const next = units[at + 1];
    const opens = indent === 0 && line !== '' && (next?.indent ?? 0) > 0;
    if (opens || /^#{1,6} /.test(line)) outline.push(at);
  }
  const worth = named.map((words) => words.reduce((sum, word) => sum + 1 / (uses.get(word) as number), 0));
  const all = [...units.keys()];
  const best = all.filter((at) => named[at]?.length !== 0);
  best.sort((one, other) => (worth[other] as number) - (worth[one] as number) || one - other);
  // The first failure is the cause, the last ones are the verdict.
  const failures = failing.flatMap((one, at) => [one, failing[failing.length - 1 - at] as number]);
  const withNext = (some: readonly number[]) => some.flatMap((at) => all.slice(at, at + 1 + linesAfter));
  return {
    head: all,
    tail: all.toReversed(),
    failures: withNext(failures.slice(0, failing.length)),
    asked: withNext(best),
    outline,
  };
}

const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function chosen(
  units: readonly Unit[],
  ranked: Ranked,
  room: number,
  perCharacter: number,
): ReadonlySet<number> {
  const kept = new Set<number>();
  let left = room;
  const take = (some: readonly number[], share: number) => {
    let own = room * share;
    let isFirst = true;
    for (const at of some) {
      if (kept.has(at)) continue;
      const { start, end } = units[at] as Unit;
      const isAlone = !kept.has(at - 1) && !kept.has(at + 1);
      const cost = (end - start + 1) * perCharacter + (isAlone ? noteTokens : 0);
      // One is worth more than its share.
      if (cost > left || (cost > own && !isFirst)) return;
      isFirst = false;
      own -= cost;
      left -= cost;
      kept.add(at);
    }
  };
  for (const name of Object.keys(shares) as (keyof typeof shares)[]) take(ranked[name], shares[name]);
  take(ranked.head, 1);
  return kept;
}

/** … with what would take less room than the note that it is missing. */
function filled(units: readonly Unit[], kept: ReadonlySet<number>, perCharacter: number): readonly number[] {
  const all: number[] = [];
  for (const at of [...kept].sort((a, b) => a - b)) {
    const next = (all.at(-1) ?? -1) + 1;
    const between = (units[at] as Unit).start - (units[next] as Unit).start;
    if (between * perCharacter <= noteTokens) for (let one = next; one < at; one += 1) all.push(one);
    all.push(at);
  }
  return all;
}

/** What the excerpt is, how much there is, how to read it, and the form of JSON. */
function openingOf(large: LargeResult, units: readonly Unit[]): string {
  const { text, tokens, handle, firstLine, recallTool } = large;
  const last = (units.at(-1)?.line ?? 0) + 1;
  const reader = recallTool === undefined ? `under ${handle}` : `with ${recallTool}, ref ${handle}`;
  const lines =
    firstLine === undefined || last < 2
      ? ''
      : `, or lines of it such as ${handle}:${firstLine}-${firstLine + Math.min(last, 200) - 1}`;
  const size = `${pluralise(tokens, 'token')}${last < 2 ? '' : ` in ${pluralise(last, 'line')}`}`;
  const form = formOf(text);
  return `[Excerpt of a result of ${size}. Read all of it ${reader}${lines}. … stands for what is left out.]${form && `\n[JSON: ${form}]`}`;
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

/** UTF-16 units of a text that is not parsed, which takes 20 ms for so many. */
const longestJson = 4_000_000;
/** Levels of JSON that are described, and keys of an object. */
const [deepest, mostKeys] = [3, 12];

/** The keys and counts of JSON; empty for another text. */
function formOf(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > longestJson) return '';
  try {
    return formIn(parseJson(text), 0);
  } catch {
    return '';
  }
}

function formIn(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'object' ? 'null' : typeof value;
  if (Array.isArray(value)) {
    const inner = value.length === 0 || depth === deepest ? '' : ` of ${formIn(value[0], depth + 1)}`;
    return `${pluralise(value.length, 'item')}${inner}`;
  }
  const keys = Object.keys(value);
  if (depth === deepest) return pluralise(keys.length, 'key');
  const shown = keys.slice(0, mostKeys).map((key) => {
    const inner = (value as Record<string, unknown>)[key];
    const isFlat = typeof inner !== 'object' || inner === null;
    return `${key.slice(0, longestPart / 6)}${isFlat ? '' : `: ${formIn(inner, depth + 1)}`}`;
  });
  const more = keys.length > mostKeys ? [`… ${pluralise(keys.length - mostKeys, 'more key')}`] : [];
  return `{ ${[...shown, ...more].join(', ')} }`;
}
