import { type Edit, messageText, type PlanContext, type Steps, type ViewMessage } from '@ctx/core';
import { isExpendable, withoutHandle } from '@ctx/core/kit';
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
import { cutUnread, goneOf } from './cut-unread.js';
import { largestWithin } from './largest-within.js';
import type { Originals } from './originals.js';
import type { Reading } from './reading.js';
import type { CutGroup } from './split-view.js';
import { markTokens, saidShare, shortShare, shortTokens, unreadMarkTokens } from './weights.js';

/** UTF-16 units of a text that is not divided a second time, which takes 10 ms for so many, but taken as the conversation's index has it. */
const longText = 262_144;

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
    const rest = roomTokens - (tokensIn(messages) - calls.saved - sum(all.map(({ tokens }) => tokens)));
    const cut = isUnread
      ? yield* cutUnreadGroup(all, rest, reading, context)
      : yield* cutGroup(
          { messages, roomTokens, calls, parts: withoutShort(all, roomTokens) },
          { ...reading, held },
          context,
        );
    edits.push(...(isUnread ? calls.edits : []), ...cut.edits);
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

/** Each unread text gets a share of the room: what a program wrote for the model leaves first, what the user said last. */
function* cutUnreadGroup(
  all: readonly Sized[],
  roomTokens: number,
  reading: Reading,
  context: PlanContext,
): Steps<Cut> {
  const parts: Sized[] = [];
  for (const part of all)
    parts.push(
      part.text.length < part.shown.length
        ? { ...part, tokens: yield* context.countInSteps(part.text) }
        : part,
    );
  const isOfProgram = ({ role, text }: Sized) => role === 'user' && isExpendable(text);
  const said = parts.filter((part) => part.role === 'user' && !isOfProgram(part));
  const results = parts.filter(({ role }) => role !== 'user');
  const needed = (some: readonly Sized[]) => sum(some.map(({ tokens }) => tokens));
  const saidRoom = Math.min(needed(said), Math.max(roomTokens - needed(results), roomTokens * saidShare));
  const resultsRoom = Math.min(needed(results), roomTokens - saidRoom);
  const rooms = new Map<Sized, number>([
    ...shared(said, saidRoom),
    ...shared(results, resultsRoom),
    ...shared(parts.filter(isOfProgram), roomTokens - saidRoom - resultsRoom),
  ]);
  const asked = context.view
    .filter(({ protectedBy }) => protectedBy === 'task-stays' || protectedBy === 'newest-user-stays')
    .map(({ message }) => messageText(message))
    .join('\n');
  const edits: Edit<'replace'>[] = [];
  for (const part of parts) {
    const room = Math.max(Math.floor(rooms.get(part) ?? 0), unreadMarkTokens);
    if (part.tokens <= room && part.text.length >= part.shown.length) continue;
    const source = yield* sourceOf(part, reading);
    const text = yield* cutUnread({ part, source, roomTokens: room, asked }, reading, context);
    const isShorter = (yield* context.countInSteps(text)) < (yield* context.countInSteps(part.shown));
    if (isShorter && isChange(part, text)) edits.push(edited(part, text));
  }
  return { edits, kept: [] };
}

/** Divides room among parts: the small ones stay whole, and the others get as much as each other. */
function shared(parts: readonly Sized[], roomTokens: number): [Sized, number][] {
  let left = roomTokens;
  return [...parts]
    .sort((a, b) => a.tokens - b.tokens)
    .map((part, at) => {
      const own = Math.min(part.tokens, Math.max(0, left / (parts.length - at)));
      left -= own;
      return [part, own];
    });
}

interface Cut {
  readonly edits: readonly Edit<'replace'>[];
  readonly kept: readonly ArrayLike<number>[];
}

/** Messages whose texts are cut. */
interface Group {
  readonly messages: readonly ViewMessage[];
  /** The tokens that they may have together. */
  readonly roomTokens: number;
  readonly calls: ReturnType<typeof cutCalls>;
  readonly parts: readonly Sized[];
}

function* cutGroup(group: Group, reading: Reading, context: PlanContext): Steps<Cut> {
  const { messages, calls, parts, roomTokens } = group;
  const sources: Source[] = [];
  for (const part of parts) sources.push(yield* sourceOf(part, reading));
  const texts = new GroupTexts(parts, sources, context);
  const others = tokensIn(messages) - calls.saved - sum(parts.map(({ tokens }) => tokens));
  const candidates = yield* candidatesOf(sources, reading.tokensPerCharacter, markTokens);
  const { choices } = yield* choose(candidates, {
    weights: reading.weights,
    held: reading.held,
    roomTokens: (roomTokens - others) * spare,
  });
  const keptIn = (some: typeof choices): number[][] => {
    const kept: number[][] = parts.map(() => []);
    for (const one of some.flatMap(({ added }) => added).sort((a, b) => a - b)) {
      const { source, position } = candidates.units[one] as (typeof candidates.units)[number];
      kept[source]?.push(position);
    }
    return kept;
  };
  const fits = function* (some: readonly (readonly number[])[]) {
    const cut = yield* texts.of(some);
    return sum(cut.map((text) => context.tokensOf(text))) <= roomTokens - others;
  };
  const count = yield* largestWithin(choices.length, (some) => fits(keptIn(choices.slice(0, some))));
  yield;
  let kept: readonly (readonly number[])[] = keptIn(choices.slice(0, count));
  // Where nothing more is worth choosing, as all is alike, the rest of the room goes to what comes first.
  if (count === choices.length) {
    const more = (most: number) =>
      kept.map((some, at) => withFirst(some, (sources[at] as Source).units.length, most));
    const longest = Math.max(0, ...sources.map(({ units }) => units.length));
    kept = more(yield* largestWithin(longest, (most) => fits(more(most))));
  }
  const edits = (yield* texts.of(kept)).flatMap((text, position): Edit<'replace'>[] => {
    const part = parts[position] as Sized;
    return isChange(part, text) ? [edited(part, text)] : [];
  });
  const terms = kept.flatMap((some, position) =>
    some.map((one) => sources[position]?.units[one]?.terms ?? []),
  );
  return { edits: [...calls.edits, ...edits], kept: terms };
}

/** What is kept, with as many of the first units. */
function withFirst(kept: readonly number[], length: number, count: number): number[] {
  const first = [...Array(Math.min(length, count)).keys()];
  return [...new Set([...first, ...kept])].sort((a, b) => a - b);
}

const edited = ({ message, part }: CutPart, text: string): Edit<'replace'> => ({
  type: 'replace',
  message,
  part,
  text,
  reason: 'excerpted',
});
const isChange = ({ shown }: CutPart, text: string) => text !== shown && text !== withoutHandle(shown);

const noCalls = { edits: [], saved: 0 };

function* sourceOf(part: CutPart, { index }: Reading): Steps<Source> {
  const read = part.text.length < longText ? undefined : index.readingOf(part.text);
  const blocks = read?.section.blocks ?? [blockOf(part)];
  const section = { title: '', heading: '', blocks, kind: 'assistant', message: 0 } as const;
  const units = read?.units ?? (yield* unitsOf(blockOf(part), 0, index.terms.known()));
  const isNamed = namedSince(index, Number.POSITIVE_INFINITY);
  return { section, units, headingTerms: [], weight: 1, isNamed };
}

function blockOf({ text, role }: CutPart): Parameters<typeof unitsOf>[0] {
  return { text, message: 0, voice: role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'tool' };
}

/** Writes the cut texts of a group. */
class GroupTexts {
  constructor(
    readonly parts: readonly Sized[],
    readonly sources: readonly Source[],
    readonly context: PlanContext,
  ) {}

  /** The text of each part, reduced to the units at these positions of it. A part keeps the text it shows now if that is not longer. */
  *of(kept: readonly (readonly number[])[]): Steps<string[]> {
    const texts: string[] = [];
    for (const [position, part] of this.parts.entries()) {
      const text = cutOf(part, this.sources[position] as Source, kept[position] as readonly number[]);
      texts.push((yield* this.context.countInSteps(text)) < part.tokens ? text : part.shown);
    }
    return texts;
  }
}

function cutOf({ text, shown }: CutPart, source: Source, kept: readonly number[]): string {
  const gone = source.units.length - kept.length;
  if (gone === 0 && kept.length > 0) return text.length < shown.length ? text : shown;
  if (gone === 0) return '[… blank …]';
  const written = linesOf(source, kept);
  const mark = `[… ${goneOf(text, written)} left out …]`;
  return written === '' ? mark : `${written}\n${mark}`;
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
