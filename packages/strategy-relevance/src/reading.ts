import type { PlanContext, Steps } from '@ctx/core';
import { type ConversationIndex, heldWith, indexOfConversation, type Source, sourcesIn } from '@ctx/excerpt';
import type { Split } from './split-view.js';
import { tokensPerCharacter, wholeText } from './whole-text.js';

/** What is known of a conversation when its view is split. */
export interface Reading {
  readonly index: ConversationIndex;
  /** What the excerpt is made from. */
  readonly sources: readonly Source[];
  /** The worth of each term, by id. */
  readonly weights: Float64Array;
  /** For each term, how many of the texts that stay unchanged contain it; at most 255. */
  readonly held: Uint8Array;
  readonly tokensPerCharacter: number;
}

/** Reads what of a conversation is new. */
export function* readMessages(transcript: PlanContext['transcript']): Steps<ConversationIndex> {
  const messages = transcript.map(({ message }) => message);
  const index = indexOfConversation(messages);
  yield* index.read(messages, numbersIn(transcript));
  return index;
}

/** Reads a split view, and the messages that earlier compressions removed. */
export function* readView(context: PlanContext, split: Split): Steps<Reading> {
  const index = yield* readMessages(context.transcript);
  const leaving = new Set(split.older.flatMap((exchange) => exchange.messages.map(({ id }) => id)));
  const sources = sourcesOf(context, split, { index, leaving });
  const held = heldWith(new Uint8Array(index.terms.size), shownTerms(context, split, { index, leaving }));
  const weights = yield* index.use.weights(index.terms, context.transcript.length, held.length);
  return { index, sources, weights, held, tokensPerCharacter: tokensPerCharacter(context) };
}

/** The numbers of the messages that handles name; 0 for what stands for several that have left memory. */
function numbersIn(transcript: PlanContext['transcript']): readonly number[] | undefined {
  if (transcript.every(({ index }, position) => index === position)) return undefined;
  return transcript.map(({ id, index }) => (id.startsWith('ctx:') ? 0 : index + 1));
}

interface Known {
  readonly index: ConversationIndex;
  /** Ids of the messages that leave the view. */
  readonly leaving: ReadonlySet<string>;
}

/** The terms of the messages that stay unchanged, except the user's: a line about something that the user mentions is worth keeping. */
function shownTerms(
  { view, transcript }: PlanContext,
  { cut }: Split,
  { index, leaving }: Known,
): (readonly number[])[] {
  const cutIds = new Set(
    cut.flatMap(({ exchanges }) => exchanges.flatMap(({ messages }) => messages.map(({ id }) => id))),
  );
  const said = new Map(transcript.map(({ id, message }, position) => [id, { message, position }]));
  return view.flatMap(({ id, message }) => {
    if (message.role === 'user' || leaving.has(id) || cutIds.has(id)) return [];
    const original = said.get(id);
    return original?.message === message
      ? index.termsOf(original.position)
      : [index.terms.known().idsOf(wholeText(message))];
  });
}

/**
 * The sections that the excerpt is made from: of the messages that leave the view now and those that left it earlier, up to the first of
 * the newest exchanges.
 */
function sourcesOf(
  { view, transcript }: PlanContext,
  { newest }: Split,
  { index, leaving }: Known,
): Source[] {
  const shown = new Set(view.map(({ id }) => id));
  const recent = new Set(newest.flatMap(({ messages }) => messages.map(({ id }) => id)));
  const next = transcript.findIndex(({ id }) => recent.has(id));
  const end = next < 0 ? transcript.length : next;
  const isSource = (position: number) => {
    const id = transcript[position]?.id as string;
    return position < end && (leaving.has(id) || !shown.has(id));
  };
  return sourcesIn(index, isSource);
}
