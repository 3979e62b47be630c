import { type Edit, messageText, type PlanContext, type Steps, type ViewMessage } from '@ctx/core';
import { isExpendable, withoutHandle } from '@ctx/core/kit';
import { gapTokens, heldWith, namedSince, type Source, unitsOf } from '@ctx/excerpt';
import { cutCalls } from './cut-calls.js';
import { type CutPart, cutPartsOf } from './cut-parts.js';
import { cutText } from './cut-text.js';
import type { Originals } from './originals.js';
import type { Reading } from './reading.js';
import type { CutGroup } from './split-view.js';

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
  const answered = context.view.findLast(({ message }) => message.role === 'assistant')?.index ?? -1;
  const edits: Edit<'replace'>[] = [];
  for (const { exchanges, roomTokens, readTokens, isUnread } of groups) {
    const messages = exchanges.flatMap((exchange) => exchange.messages);
    const all: Sized[] = [];
    for (const part of cutPartsOf(messages, originals)) {
      const shown = yield* context.countInSteps(part.shown);
      const tokens = part.text.length < part.shown.length ? yield* context.countInSteps(part.text) : shown;
      const index = messages.find(({ id }) => id === part.message)?.index ?? 0;
      all.push({ ...part, shownTokens: shown, tokens, isRead: !isUnread || index < answered });
    }
    const others = tokensIn(messages) - sum(all.map(({ shownTokens }) => shownTokens));
    const least = others + sum(all.map(({ shownTokens }) => Math.min(shownTokens, 2 * gapTokens)));
    // Of what the model has not read, calls are cut only if texts alone do not suffice.
    const isEnough = isUnread && least <= roomTokens;
    const calls = isEnough ? noCalls : cutCalls(messages, roomTokens, context, originals);
    const rooms = roomsOf(all, roomTokens - others + calls.saved, readTokens);
    edits.push(...calls.edits);
    for (const part of all) {
      const room = Math.max(Math.floor(rooms.get(part) ?? 0), 2 * gapTokens);
      if (part.tokens <= room && part.text.length >= part.shown.length) continue;
      const source = yield* sourceOf(part, reading);
      const given = { ...reading, held };
      const { text, kept } = yield* cutText(
        { part, source, roomTokens: room, isUnread: !part.isRead, asked: askedIn(context) },
        given,
        context,
      );
      if (!isUnread)
        held = heldWith(
          held,
          kept.map((one) => source.units[one]?.terms ?? []),
        );
      const isShorter = (yield* context.countInSteps(text)) < part.shownTokens;
      const { message, part: place, shown } = part;
      if (isShorter && text !== withoutHandle(shown))
        edits.push({ type: 'replace', message, part: place, text, reason: 'excerpted' });
    }
  }
  return { edits, held };
}

const noCalls = { edits: [], saved: 0 };

/** A part with its tokens, and those of what it shows. */
interface Sized extends CutPart {
  readonly tokens: number;
  readonly shownTokens: number;
  /** Whether the model has answered since. */
  readonly isRead: boolean;
}

function tokensIn(messages: readonly ViewMessage[]): number {
  return sum(messages.map(({ tokens }) => tokens));
}

/** Each text gets a share of the room: what a program wrote for the model leaves first, what the user said last. */
function roomsOf(
  parts: readonly Sized[],
  roomTokens: number,
  readTokens = Number.POSITIVE_INFINITY,
): ReadonlyMap<Sized, number> {
  const isOfProgram = ({ role, text }: Sized) => role === 'user' && isExpendable(text);
  const said = parts.filter((part) => part.role === 'user' && !isOfProgram(part));
  const results = parts.filter(({ role }) => role !== 'user');
  const needed = (some: readonly Sized[]) => sum(some.map(({ tokens }) => tokens));
  const saidRoom = Math.min(
    needed(said),
    Math.max(roomTokens - needed(results), roomTokens / 2),
    said.every(({ isRead }) => isRead) ? readTokens : Number.POSITIVE_INFINITY,
  );
  const resultsRoom = Math.min(needed(results), roomTokens - saidRoom);
  return new Map<Sized, number>([
    ...shared(said, saidRoom),
    ...shared(results, resultsRoom),
    ...shared(parts.filter(isOfProgram), roomTokens - saidRoom - resultsRoom),
  ]);
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

/** What the user has asked. */
function askedIn({ view }: PlanContext): string {
  return view
    .filter(({ protectedBy }) => protectedBy === 'task-stays' || protectedBy === 'newest-user-stays')
    .map(({ message }) => messageText(message))
    .join('\n');
}

function* sourceOf(part: CutPart, { index }: Reading): Steps<Source> {
  const block = blockOf(part);
  const section = { title: '', heading: '', blocks: [block], kind: 'assistant', message: 0 } as const;
  const units = yield* unitsOf(block, 0, index.terms.known());
  const isNamed = namedSince(index, Number.POSITIVE_INFINITY);
  return { section, units, headingTerms: [], weight: 1, isNamed };
}

function blockOf({ text, role }: CutPart): Parameters<typeof unitsOf>[0] {
  return { text, message: 0, voice: role === 'assistant' ? 'agent' : role === 'user' ? 'user' : 'tool' };
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
