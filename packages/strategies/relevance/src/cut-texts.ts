import type { Edit, PlanContext, Steps, ViewMessage } from '@ctx/core';
import { pluralise, withoutHandle } from '@ctx/core/kit';
import {
  candidatesOf,
  choose,
  heldWith,
  linesOf,
  namedSince,
  type Source,
  spare,
  unitsOf,
} from '@ctx/excerpt';
import { cutCalls } from './cut-calls.js';
import { type CutPart, cutPartsOf } from './cut-parts.js';
import type { Originals } from './originals.js';
import type { Reading } from './reading.js';
import type { CutGroup } from './split-view.js';
import { longestFirst, markTokens, shortShare, shortTokens, unreadMarkTokens } from './weights.js';

/** UTF-16 units of a text that is not divided a second time, which takes 10 ms for so many, but taken as the conversation's index has it. */
const longText = 262_144;

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

export interface CutResult {
  readonly edits: readonly Edit<'replace'>[];
  /** For each term, how many of the texts that stay contain it; includes the cut texts. */
  readonly held: Uint8Array;
}

/** Cuts the texts and arguments of exchanges that stay but are too large. */
export function* cutTexts(
  groups: readonly CutGroup[],
  reading: Reading,
  context: PlanContext,
  originals: Originals,
): Steps<CutResult> {
  let { held } = reading;
  const edits: Edit<'replace'>[] = [];
  for (const { exchanges, roomTokens, isUnread } of groups) {
    const messages = exchanges.flatMap((exchange) => exchange.messages);
    const all: Sized[] = [];
    for (const part of cutPartsOf(messages, originals))
      all.push({ ...part, tokens: yield* context.countInSteps(part.shown) });
    const isEnough = isUnread && fitWithTexts(all, messages, roomTokens);
    const calls = isEnough ? noCalls : cutCalls(messages, roomTokens, context, originals);
    const excess = tokensIn(messages) - calls.saved - roomTokens;
    const parts = isUnread ? largestOf(all, excess) : withoutShort(all, roomTokens);
    const cut = yield* cutGroup(
      { messages, roomTokens, calls, parts, isUnread },
      { ...reading, held },
      context,
    );
    edits.push(...cut.edits);
    held = heldWith(held, cut.kept);
  }
  return { edits, held };
}

/** A part with the tokens of what it shows. */
interface Sized extends CutPart {
  readonly tokens: number;
}

/** The parts to cut: without the short ones, which stay whole where all of them together take little of the room. */
function withoutShort(parts: readonly Sized[], roomTokens: number): readonly Sized[] {
  const isShort = ({ tokens }: Sized) => tokens <= shortTokens;
  const shortest = sum(parts.filter(isShort).map(({ tokens }) => tokens));
  return shortest <= roomTokens * shortShare ? parts.filter((part) => !isShort(part)) : parts;
}

/** Whether the messages fit if their texts are cut, and their calls are not. */
function fitWithTexts(
  parts: readonly Sized[],
  messages: readonly ViewMessage[],
  roomTokens: number,
): boolean {
  const cuttable = sum(parts.map(({ tokens }) => Math.max(0, tokens - unreadMarkTokens)));
  return tokensIn(messages) - cuttable <= roomTokens;
}

function tokensIn(messages: readonly ViewMessage[]): number {
  return sum(messages.map(({ tokens }) => tokens));
}

/** The fewest of the largest parts that have to be cut to free this many tokens. */
function largestOf(parts: readonly Sized[], excessTokens: number): readonly Sized[] {
  const sized = [...parts].sort((a, b) => b.tokens - a.tokens);
  let excess = excessTokens;
  let count = 0;
  // A part keeps about as much as the next smaller one has.
  for (; count < sized.length && excess > 0; count += 1) {
    const next = sized[count + 1]?.tokens ?? 0;
    const cutTogether = (count + 1) * ((sized[count]?.tokens ?? 0) - next);
    excess -= cutTogether;
  }
  const cut = new Set(sized.slice(0, count));
  return parts.filter((part) => cut.has(part));
}

/** Messages whose texts are cut. */
interface Group {
  readonly messages: readonly ViewMessage[];
  /** The tokens that they may have together. */
  readonly roomTokens: number;
  readonly calls: ReturnType<typeof cutCalls>;
  readonly parts: readonly Sized[];
  readonly isUnread: boolean;
}

function* cutGroup(
  group: Group,
  { index, weights, held, tokensPerCharacter }: Reading,
  context: PlanContext,
): Steps<{ readonly edits: readonly Edit<'replace'>[]; readonly kept: readonly ArrayLike<number>[] }> {
  const { messages, calls, parts, roomTokens, isUnread } = group;
  const sources: Source[] = [];
  for (const part of parts) {
    const read = part.text.length < longText ? undefined : index.readingOf(part.text);
    const blocks = read?.section.blocks ?? [blockOf(part)];
    const section = { title: '', heading: '', blocks, kind: 'assistant', message: 0 } as const;
    const units = read?.units ?? (yield* unitsOf(blockOf(part), 0, index.terms.known()));
    sources.push({
      section,
      units,
      headingTerms: [],
      weight: 1,
      isNamed: namedSince(index, Number.POSITIVE_INFINITY),
    });
  }
  const texts = new GroupTexts(parts, sources, context, isUnread);
  const others = tokensIn(messages) - calls.saved - sum(parts.map(({ tokens }) => tokens));
  const candidates = yield* candidatesOf(sources, tokensPerCharacter);
  candidates.headingTokens.fill(markTokens);
  const { choices } = yield* choose(candidates, {
    weights,
    held,
    roomTokens: (roomTokens - others) * spare,
  });
  const keptIn = (some: typeof choices): number[][] => {
    const kept: number[][] = parts.map(() => []);
    for (const one of some.flatMap(({ added }) => added).sort((a, b) => a - b))
      kept[candidates.source[one] as number]?.push(candidates.position[one] as number);
    return kept;
  };
  const count = yield* largestWithin(choices.length, function* (some) {
    const cut = yield* texts.of(keptIn(choices.slice(0, some)));
    return sum(cut.map((text) => context.tokensOf(text))) <= roomTokens - others;
  });
  yield;
  const kept = keptIn(choices.slice(0, count));
  const edits = (yield* texts.of(kept)).flatMap((text, position): Edit<'replace'>[] => {
    const { message, part, shown } = parts[position] as CutPart;
    return text === shown || text === withoutHandle(shown)
      ? []
      : [{ type: 'replace', message, part, text, reason: 'excerpted' }];
  });
  const terms = kept.flatMap((some, position) =>
    some.map((one) => sources[position]?.units[one]?.terms ?? []),
  );
  return { edits: [...calls.edits, ...edits], kept: terms };
}

const noCalls = { edits: [], saved: 0 };
/** What the model should do about the rest of a text that it has not read. */
const unreadNote = ', because they do not fit into the window: read them in parts';

function blockOf({ text, role }: CutPart): Parameters<typeof unitsOf>[0] {
  return { text, message: 0, voice: role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'tool' };
}

/** Writes the cut texts of a group. */
class GroupTexts {
  constructor(
    readonly parts: readonly Sized[],
    readonly sources: readonly Source[],
    readonly context: PlanContext,
    readonly isUnread: boolean,
  ) {}

  /** The text of each part, reduced to the units at these positions of it. A part keeps the text it shows now if that is not longer. */
  *of(kept: readonly (readonly number[])[]): Steps<string[]> {
    const texts: string[] = [];
    for (const [position, { shown, tokens }] of this.parts.entries()) {
      const text = this.#cut(kept[position] as readonly number[], position);
      texts.push((yield* this.context.countInSteps(text)) < tokens ? text : shown);
    }
    return texts;
  }

  #cut(chosen: readonly number[], position: number): string {
    const source = this.sources[position] as Source;
    const some = this.isUnread ? withTitle(chosen, source) : chosen;
    const gone = source.units.length - some.length;
    if (gone === 0 && some.length > 0) return (this.parts[position] as CutPart).shown;
    const mark =
      gone === 0
        ? '[… blank …]'
        : `[… ${pluralise(gone, 'line')} left out${this.isUnread ? unreadNote : ''} …]`;
    return some.length === 0 ? mark : `${linesOf(source, some)}\n${mark}`;
  }
}

/** The first line says what an unread text is: it stays if it is short and anything does. */
function withTitle(kept: readonly number[], { units }: Source): readonly number[] {
  const [first] = units;
  if (kept.length === 0 || kept[0] === 0 || first === undefined) return kept;
  return first.end - first.start > longestFirst ? kept : [0, ...kept];
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
