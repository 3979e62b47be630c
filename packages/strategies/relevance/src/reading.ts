import type { Exchange, PlanContext, Steps, ViewMessage } from '@ctx/core';
import { type ConversationIndex, hold, indexOfConversation, type Source, sourcesIn } from '@ctx/excerpt';
import { placesIn } from './originals.js';
import { type Split, segmentExchanges } from './split-view.js';
import { tokensPerCharacter, wholeText } from './whole-text.js';

/** Messages whose terms are counted in a step. */
const stepMessages = 16;

/** What is known of a conversation when its view is split. */
export interface Reading {
  readonly index: ConversationIndex;
  /** What the excerpt is made from. */
  readonly sources: readonly Source[];
  /** For each source, the number of its segment. */
  readonly segmentOf: Int32Array;
  /** All sections up to the last source, whether they stay or not, and those after it, which stay. */
  readonly earlier: readonly Source['section'][];
  readonly later: readonly Source['section'][];
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay unchanged contain it; at most 255. */
  readonly held: Uint8Array;
  readonly tokensPerCharacter: number;
  /** UTF-16 units of all that leaves the view now or left it earlier, whether an excerpt is made of it or not: a second plan is like the first. */
  readonly olderLength: number;
}

/** Reads what of a conversation is new. */
function* readMessages(transcript: PlanContext['transcript']): Steps<ConversationIndex> {
  const messages = transcript.map(({ message }) => message);
  const index = indexOfConversation(messages);
  yield* index.read(messages);
  return index;
}

/** Reads a split view, and the messages that earlier compressions removed. */
export function* readView(context: PlanContext, split: Split): Steps<Reading> {
  const index = yield* readMessages(context.transcript);
  const known: Known = {
    index,
    places: placesIn(context.transcript),
    leaving: marked(context.view, segmentExchanges(split)),
  };
  yield;
  const { sources, segmentOf, olderLength } = yield* sourcesOf(context, split, known);
  yield;
  const held = yield* shownTerms(context, split, known);
  const weights = yield* index.use.weights(index.terms, held.length);
  yield;
  const perCharacter = yield* tokensPerCharacter(context);
  const last = sources.at(-1)?.section.message ?? -1;
  const read = index.sections.map(({ section }) => section);
  return {
    index,
    sources,
    segmentOf,
    earlier: read.filter(({ message }) => message <= last),
    later: read.filter(({ message }) => message > last),
    weights,
    held,
    tokensPerCharacter: perCharacter,
    olderLength,
  };
}

interface Known {
  readonly index: ConversationIndex;
  readonly places: ReadonlyMap<string, number>;
  /** For each message of the view, 1 if it leaves. */
  readonly leaving: Uint8Array;
}

/** For each message of a view, 1 if it is in one of the exchanges. */
function marked(view: PlanContext['view'], exchanges: readonly Exchange[]): Uint8Array {
  const marks = new Uint8Array(view.length);
  for (const { messages } of exchanges) for (const { index } of messages) marks[index] = 1;
  return marks;
}

/**
 * For each term, how many of the texts contain it that stay unchanged, except the user's: a line about something that the user mentions is
 * worth keeping.
 */
function* shownTerms(
  { view, transcript }: PlanContext,
  { cut }: Split,
  { index, places, leaving }: Known,
): Steps<Uint8Array> {
  const isCut = marked(
    view,
    cut.flatMap(({ exchanges }) => exchanges),
  );
  const held = new Uint8Array(index.terms.size);
  for (let at = 0; at < view.length; at += 1) {
    if (at % stepMessages === 0) yield;
    const { id, message } = view[at] as ViewMessage;
    if (message.role === 'user' || leaving[at] === 1 || isCut[at] === 1) continue;
    const place = places.get(id) ?? -1;
    const isOriginal = transcript[place]?.message === message;
    hold(held, isOriginal ? index.termsOf(place) : [index.terms.known().idsOf(wholeText(message))]);
  }
  return held;
}

/**
 * The sections that the excerpts are made from: of the messages that are removed from the view now and those that were removed earlier, up to the first of
 * the newest exchanges. What left earlier from where no excerpt is written now is not among them.
 */
function* sourcesOf(
  context: PlanContext,
  { newest, segments }: Split,
  { index, places, leaving }: Known,
): Steps<Pick<Reading, 'sources' | 'segmentOf' | 'olderLength'>> {
  const { view, transcript } = context;
  const stays = new Uint8Array(transcript.length);
  for (const { id, index: at } of view) if (leaving[at] === 0) stays[places.get(id) ?? -1] = 1;
  let end = transcript.length;
  // An excerpt is never one of the newest: what stays before it does not end what it is made from.
  const lastLeaving = leaving.lastIndexOf(1);
  for (const { id, index: at } of newest.flatMap(({ messages }) => messages)) {
    const place = places.get(id) ?? -1;
    if (place >= 0 && at > lastLeaving) end = Math.min(end, place);
  }
  yield;
  const segmentAt = segmentNumbers(context, segments, places);
  const hasLeft = (place: number) => place < end && stays[place] === 0;
  const sources = yield* sourcesIn(index, (place) => hasLeft(place) && (segmentAt[place] as number) >= 0);
  let olderLength = 0;
  for (const { section } of index.sections)
    if (hasLeft(section.message)) for (const { text } of section.blocks) olderLength += text.length;
  return {
    sources,
    segmentOf: Int32Array.from(sources, ({ section }) => segmentAt[section.message] as number),
    olderLength,
  };
}

/** For each place, the number of the first segment around it, between the messages of the user's that stay; -1 if there is none. */
function segmentNumbers(
  { view, transcript }: PlanContext,
  segments: Split['segments'],
  places: Known['places'],
): Int32Array {
  const leaving = marked(
    view,
    segments.flatMap(({ exchanges }) => exchanges),
  );
  const staying = view.filter((one) => leaving[one.index] === 0 && isUsers(one) && places.has(one.id));
  const numbers = new Int32Array(transcript.length).fill(-1);
  for (const [number, { exchanges }] of [...segments.entries()].reverse()) {
    const first = exchanges[0]?.first ?? 0;
    const before = staying.findLast(({ index }) => index < first)?.id ?? '';
    const after = staying.find(({ index }) => index >= first)?.id ?? '';
    numbers.fill(number, (places.get(before) ?? -1) + 1, places.get(after) ?? transcript.length);
  }
  return numbers;
}

function isUsers({ message }: ViewMessage): boolean {
  return message.role === 'user' && message.summary !== true;
}
