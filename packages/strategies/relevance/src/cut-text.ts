import type { PlanContext, Steps } from '@ctx/core';
import { cutText as cutBeginning } from '@ctx/core';
import { extentOf, pluralise, reportsFailure } from '@ctx/core/kit';
import {
  candidatesOf,
  choose,
  gapTokens,
  heldWith,
  linesOf,
  type Source,
  spare,
  usualForm,
} from '@ctx/excerpt';
import type { CutPart } from './cut-parts.js';
import type { Reading } from './reading.js';
import { partShare } from './weights.js';

/** Lines after one that reports a failure: they say where. */
const linesAfter = 3;

/** A text that is too large, and its units. */
export interface LargeText {
  readonly part: CutPart;
  readonly source: Source;
  /** Tokens that it may have. */
  readonly roomTokens: number;
  /** What the user has asked. */
  readonly asked: string;
  /** Whether the model has not read it. */
  readonly isUnread: boolean;
}

/**
 * Cuts a text that is too large: its beginning and its end stay, the lines that report failures, and what says most of the rest. Of a
 * user's message the first and the last paragraph stay whole, as the question is in one of them.
 */
export function* cutText(
  large: LargeText,
  reading: Reading,
  context: PlanContext,
): Steps<{ readonly text: string; readonly kept: readonly number[] }> {
  const { part, source, roomTokens } = large;
  if (source.units.length === 0) return { text: '[… blank …]', kept: [] };
  const all = yield* context.countInSteps(part.text);
  if (all <= roomTokens) return { text: part.text, kept: [...source.units.keys()] };
  const once = saidOnce(source);
  const must = mustStay(large, once, all / part.text.length);
  const room = Math.max(0, roomTokens - costOf(must, source, all / part.text.length) - 2 * gapTokens);
  const held = heldWith(
    reading.held,
    must.map((one) => source.units[one]?.terms ?? []),
  );
  const candidates = yield* candidatesOf([source], reading.tokensPerCharacter, gapTokens);
  const { choices } = yield* choose(candidates, { weights: reading.weights, held, roomTokens: room * spare });
  const isOnce = new Set(once);
  const added = choices.map((choice) =>
    choice.added.flatMap((one) => candidates.units[one]?.position ?? []).filter((one) => isOnce.has(one)),
  );
  const fits = (text: string) => context.tokensOf(text) <= roomTokens;
  const withChoices = (count: number) => inOrder([...must, ...added.slice(0, count).flat()]);
  const count = yield* largestWithin(added.length, function* (some) {
    yield;
    return fits(written(large, withChoices(some)));
  });
  let kept = withChoices(count);
  if (count === added.length) kept = yield* filled(kept, once, large, fits);
  const text = written(large, kept);
  if (kept.length > 0 && fits(text)) return { text, kept };
  const beginning = cutBeginning(part.text, {
    tokensOf: (some) => context.tokensOf(some),
    marker: ({ characters }) => markOf(pluralise(characters, 'character'), large),
    maxTokens: Math.max(roomTokens, 2 * gapTokens),
  });
  return { text: beginning ?? text, kept: [] };
}

/** Where nothing more is worth choosing, as all is alike, the rest of the room goes to what comes first. */
function* filled(
  kept: readonly number[],
  once: readonly number[],
  large: LargeText,
  fits: (text: string) => boolean,
): Steps<number[]> {
  const has = new Set(kept);
  const others = once.filter((one) => !has.has(one));
  const count = yield* largestWithin(others.length, function* (some) {
    yield;
    return fits(written(large, inOrder([...kept, ...others.slice(0, some)])));
  });
  return inOrder([...kept, ...others.slice(0, count)]);
}

/** The units without those of blocks of lines that stand in the text before, as of the stack of a warning that comes for each item of a list. */
function saidOnce(source: Source): number[] {
  const seen = new Set<string>();
  const once: number[] = [];
  let again: number[] = [];
  const end = () => {
    if (again.length < usualForm) once.push(...again);
    again = [];
  };
  for (const [one, { block, start }] of source.units.entries()) {
    const said = linesOf(source, [one]);
    const isLine = start === 0 || source.section.blocks[block]?.text[start - 1] === '\n';
    if (isLine && seen.has(said)) again.push(one);
    else {
      end();
      once.push(one);
      seen.add(said);
    }
  }
  end();
  return once;
}

/** The units that stay first of all. */
function mustStay(
  { part, source, roomTokens, asked }: LargeText,
  all: readonly number[],
  perCharacter: number,
): number[] {
  const { units } = source;
  const must = new Set<number>();
  const take = (from: readonly number[], share: number) => {
    let left = roomTokens * share;
    for (const one of from) {
      left -= costOf([one], source, perCharacter);
      if (left < 0) return;
      must.add(one);
    }
  };
  const [first, last] = part.role === 'user' ? paragraphsOf(part.text) : [0, Infinity];
  const isWhole = (some: readonly number[]) => costOf(some, source, perCharacter) <= roomTokens * partShare;
  const head = all.filter((one) => (units[one]?.end ?? 0) <= first);
  const tail = all.filter((one) => (units[one]?.start ?? 0) >= last).reverse();
  take(head.length > 0 && isWhole(head) ? head : all, partShare);
  take(tail.length > 0 && isWhole(tail) ? tail : all.toReversed(), partShare);
  const failing = [...all.keys()].filter((at) => reportsFailure(linesOf(source, [all[at] as number])));
  // The first failure is the cause, the last ones are the verdict.
  const ordered = failing.flatMap((one, at) => [one, failing[failing.length - 1 - at] as number]);
  const withNext = ordered.flatMap((at) => all.slice(at, at + 1 + linesAfter));
  take(
    [...new Set(withNext)].filter((one) => !must.has(one)),
    partShare,
  );
  const question =
    part.role === 'user' ? part.text.slice(tail.length > 0 ? last : part.text.lastIndexOf('\n') + 1) : asked;
  take(
    mostAsked(all, source, question).filter((one) => !must.has(one)),
    partShare,
  );
  return inOrder(must);
}

/** The units that name what a question names, those first that name it in the fewest words, and what few others name. */
function mostAsked(all: readonly number[], source: Source, question: string): number[] {
  const asked = new Set(wordsIn(question).filter((word) => word.length > 3 || /\d/.test(word)));
  const uses = new Map<string, number>();
  const words = all.map((one) => wordsIn(linesOf(source, [one])));
  for (const some of words) for (const word of new Set(some)) uses.set(word, (uses.get(word) ?? 0) + 1);
  const worth = words.map((some) => {
    const named = [...new Set(some)].filter((word) => asked.has(word));
    return named.reduce((sum, word) => sum + 1 / (uses.get(word) as number), 0) / Math.max(1, some.length);
  });
  return [...all.keys()]
    .filter((at) => (worth[at] as number) > 0)
    .sort((a, b) => (worth[b] as number) - (worth[a] as number))
    .map((at) => all[at] as number);
}

/** Words and numbers in lower case, without the ending of a plural. */
const wordsIn = (text: string) =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.replace(/s$/, ''));

/** Where the first paragraph of a text ends, and where its last one begins. */
function paragraphsOf(text: string): readonly [end: number, start: number] {
  const breaks = [...text.trimEnd().matchAll(/\n[^\S\n]*\n/g)];
  const [first, last] = [breaks[0], breaks.at(-1)];
  return [
    first === undefined ? 0 : first.index + 1,
    last === undefined ? Infinity : last.index + last[0].length,
  ];
}

function costOf(some: readonly number[], source: Source, perCharacter: number): number {
  return some.reduce((sum, one) => {
    const { start, end } = source.units[one] as Source['units'][number];
    return sum + (end - start + 1) * perCharacter;
  }, 0);
}

/** The units with the mark: at the end, or where most is missing if the last paragraph is a user's, and may be a question. */
function written(large: LargeText, kept: readonly number[]): string {
  const { part, source } = large;
  const { length } = source.units;
  if (kept.length === length) return linesOf(source, kept);
  const hasQuestion = part.role === 'user' && paragraphsOf(part.text)[1] < Infinity;
  let [at, widest] = [hasQuestion ? 0 : kept.length, 0];
  for (let next = 0; next <= kept.length && hasQuestion; next += 1) {
    const gap = (kept[next] ?? length) - (kept[next - 1] ?? -1) - 1;
    if (gap > widest) [at, widest] = [next, gap];
  }
  const [before, after] = [linesOf(source, kept.slice(0, at)), linesOf(source, kept.slice(at))];
  const mark = markOf(goneOf(part.text, [before, after].filter((text) => text !== '').join('\n')), large);
  return [before, mark, after].filter((text) => text !== '').join('\n');
}

/** Says what is missing, and what the model should do about it if it has not read it. */
function markOf(gone: string, { isUnread }: LargeText): string {
  const note = isUnread ? ', because they do not fit into the window: read them in parts' : '';
  return `[… ${gone} left out${note} …]`;
}

/** How much of a text is missing, in lines; in characters if it has not as many lines. */
function goneOf(text: string, kept: string): string {
  const lines = linesIn(text) - linesIn(kept);
  const isOfLines = linesIn(text) > 1 && lines > 0;
  return extentOf({
    tokens: 0,
    lines: isOfLines ? lines : 0,
    characters: Math.max(1, text.length - kept.length),
  });
}

const linesIn = (text: string) => text.split('\n').filter((line) => line !== '' && line !== '…').length;

const inOrder = (some: Iterable<number>) => [...new Set(some)].sort((a, b) => a - b);

/** The largest number up to `most` for which `holds` is true; 0 if there is none. Assumes that it also holds for all smaller numbers. */
function* largestWithin(most: number, holds: (count: number) => Steps<boolean>): Steps<number> {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (yield* holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
