import type { Message, Steps, SummarizeRequest } from '@ctx/core';
import {
  type ConversationIndex,
  type Excerpt,
  excerptOf,
  heldWith,
  indexOfConversation,
  type Source,
  sectionsOf,
  sourcesIn,
  usualTokensPerCharacter,
} from '@ctx/excerpt';

/** The share of the passages that the user's messages may take word for word, together with what the ledger quotes of them. */
const usersShare = 0.5;
/** Texts that are counted to estimate tokens from characters, and the characters read of each. */
const samples = 16;
const sampleLength = 500;

export interface PassageOptions {
  /** The most tokens of the passages. */
  readonly roomTokens: number;
  /** What the summary already says. Its terms count as held. */
  readonly head: string;
  /** The numbers of the messages that it quotes as a whole. */
  readonly quoted: ReadonlySet<number>;
  /** Tokens of these quotations. */
  readonly quotedTokens: number;
}

/** Chooses verbatim passages of the original messages; undefined if there is room for none. */
export function* passagesOf(
  request: SummarizeRequest,
  { roomTokens, head, quoted, quotedTokens }: PassageOptions,
): Steps<Excerpt | undefined> {
  const { originals, transcript, tokensOf } = request;
  const conversation = transcript ?? originals.map(({ message }) => message);
  const index = indexOfConversation(conversation);
  yield* index.read(conversation, request.numbers);
  const placeOf = placesIn(request, conversation);
  const places = new Set(originals.map(placeOf));
  const quotedPlaces = new Set(
    originals.flatMap((one, at) => (quoted.has(one.number) ? [placeOf(one, at)] : [])),
  );
  const sources = yield* sourcesIn(index, (place) => places.has(place) && !quotedPlaces.has(place));
  const tokensPerCharacter = averageTokens(sources, tokensOf);
  const held = yield* heldTerms(request, conversation, index, head);
  const excerpt = yield* excerptOf(sources, {
    excerptTokens: roomTokens,
    usersTokens: Math.max(0, (roomTokens + quotedTokens) * usersShare - quotedTokens),
    olderLength: charactersIn(sources),
    index,
    weights: yield* index.use.weights(index.terms, held.length),
    held,
    tokensPerCharacter,
    tokensOf,
  });
  return excerpt.kept === 0 || tokensOf(excerpt.text) > roomTokens ? undefined : excerpt;
}

/** Where an original is in the conversation that is read. */
function placesIn({ transcript, numbers }: SummarizeRequest, conversation: readonly Message[]) {
  const places = numbers && new Map(conversation.map((message, place) => [message, place]));
  return ({ number, message }: SummarizeRequest['originals'][number], at: number) =>
    transcript === undefined ? at : places === undefined ? number - 1 : (places.get(message) ?? -1);
}

/**
 * For each term, how many texts that the model still sees contain it. The user's messages do not count: a line about something that the
 * user mentions is worth keeping.
 */
function* heldTerms(
  { staying = [] }: SummarizeRequest,
  conversation: readonly unknown[],
  index: ConversationIndex,
  head: string,
): Steps<Uint8Array> {
  const places = new Map(conversation.map((message, place) => [message, place]));
  const known = index.terms.known();
  const terms: ArrayLike<number>[] = head === '' ? [] : [known.idsOf(head)];
  for (const message of staying) {
    if (message.role === 'user') continue;
    const place = places.get(message);
    if (place !== undefined) terms.push(...index.termsOf(place));
    else
      for (const { heading, blocks } of sectionsOf([{ message, index: 0 }]))
        terms.push(known.idsOf([heading, ...blocks.map(({ text }) => text)].join('\n')));
    yield;
  }
  return heldWith(new Uint8Array(index.terms.size), terms);
}

/** The average number of tokens per character, from samples of the sources. */
function averageTokens(sources: readonly Source[], tokensOf: (text: string) => number): number {
  const texts = sources.flatMap(({ section }) =>
    section.blocks.map(({ text }) => text.slice(0, sampleLength)),
  );
  const step = Math.max(1, Math.floor(texts.length / samples));
  let [tokens, characters] = [0, 0];
  for (let at = 0; at < texts.length; at += step) {
    const text = texts[at] as string;
    tokens += tokensOf(text);
    characters += text.length;
  }
  return characters === 0 ? usualTokensPerCharacter : tokens / characters;
}

function charactersIn(sources: readonly Source[]): number {
  return sources.reduce(
    (sum, { section }) => sum + section.blocks.reduce((all, { text }) => all + text.length, 0),
    0,
  );
}
